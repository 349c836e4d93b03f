import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type TriggerTest = components["schemas"]["TriggerTest"];
export type TriggerTestRequest = components["schemas"]["TriggerTestRequest"];

/** Whether something fits a trigger; nothing is started by it. */
export const triggerTestQuery = (team: string, workflow: string, body: TriggerTestRequest) =>
  queryOptions({
    queryKey: ["trigger-test", team, workflow, body],
    queryFn: () => call(api.POST("/api/v2/team/{team}/workflow/{workflow}/trigger/test", { params: { path: { team, workflow } }, body })),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  });

/** Starts a run as if what was tested had come. */
export const submitTested = (team: string, workflow: string, { submission }: TriggerTest) =>
  call(api.POST("/api/v2/team/{team}/workflow/{workflow}/submit", { params: { path: { team, workflow } }, body: submission }));

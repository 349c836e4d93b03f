import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type RunExpectation = components["schemas"]["RunExpectation"];

/** How long a run should take, and whether it is late. An open run becomes late without any event, so it is polled. */
export const runExpectationQuery = (team: string, run: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ["run-expectation", team, run, isOpen],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/{runId}/expectation", { params: { path: { team, runId: run } } })),
    staleTime: 60_000,
    refetchInterval: isOpen ? 60_000 : false,
  });

/** How its tasks spent their time. Requested again when the run has changed. */
export const runTimesQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run, "times"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/{runId}/times", { params: { path: { team, runId: run } } })),
    placeholderData: keepPreviousData,
  });

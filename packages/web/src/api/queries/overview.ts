import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Overview = components["schemas"]["Overview"];

/** Teams with counts, open actions and recent runs of who asks. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: () => call(api.GET("/api/v2/overview", { params: { query: { limit: 20 } } })),
});

export const checkTeamName = (name: string) => call(api.POST("/api/v2/team/validate-name", { body: { name } }));

export const createTeam = (body: components["schemas"]["TeamRequest"]) => call(api.POST("/api/v2/team", { body }));

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export const teamQuery = (team: string) =>
  queryOptions({ queryKey: ["team", team], queryFn: () => call(api.GET("/api/v2/team/{team}", { params: { path: { team } } })) });

/** The teams that the caller sees, by name. */
export const teamsQuery = (filter: { limit?: number; page?: number } = {}) =>
  queryOptions({
    queryKey: ["teams", filter],
    queryFn: () => call(api.GET("/api/v2/team/query", { params: { query: { limit: 100, page: 0, ...filter } } })),
  });

export const rolesQuery = queryOptions({ queryKey: ["roles"], queryFn: () => call(api.GET("/api/v2/team/roles")), staleTime: 300_000 });
export const defaultQuotasQuery = queryOptions({
  queryKey: ["default-quotas"],
  queryFn: () => call(api.GET("/api/v2/team/quotas/default")),
});

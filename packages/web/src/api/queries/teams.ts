import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export const teamQuery = (team: string) =>
  queryOptions({ queryKey: ["team", team], queryFn: () => call(api.GET("/api/v2/team/{team}", { params: { path: { team } } })) });

/** The teams that the caller sees and that have this text in a name, the first of them by name. */
export const teamsQuery = (search = "") =>
  queryOptions({
    queryKey: ["teams", { search }],
    queryFn: () => {
      const query = { limit: 50, page: 0, order: "ASC" as const, ...(search.trim() !== "" && { search: search.trim() }) };
      return call(api.GET("/api/v2/team/query", { params: { query } }));
    },
    placeholderData: keepPreviousData,
  });

export const rolesQuery = queryOptions({ queryKey: ["roles"], queryFn: () => call(api.GET("/api/v2/team/roles")), staleTime: 300_000 });
export const defaultQuotasQuery = queryOptions({
  queryKey: ["default-quotas"],
  queryFn: () => call(api.GET("/api/v2/team/quotas/default")),
});

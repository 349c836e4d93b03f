import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Team = components["schemas"]["Team"];

export interface TeamFilter {
  search: string;
  /** Empty: all. */
  status: string;
  /** From 0. */
  page: number;
}

export const teamsPageSize = 100;

/** The teams of the instance, by name, for its administrators. */
export const allTeamsQuery = ({ search, status, page }: TeamFilter) =>
  queryOptions({
    queryKey: ["teams", "all", { search, status, page }],
    queryFn: () => {
      const asked = { ...(search !== "" && { search }), ...(status !== "" && { statuses: [status as "active"] }) };
      return call(
        api.GET("/api/v2/team/query", { params: { query: { limit: teamsPageSize, page, sort: "name", order: "ASC", ...asked } } }),
      );
    },
    placeholderData: keepPreviousData,
  });

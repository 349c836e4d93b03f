import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Team = components["schemas"]["Team"];

/** More than these are not looked through; the page says so. */
export const teamsListed = 1000;

/** Every team of the instance, by name, for its administrators. */
export const allTeamsQuery = queryOptions({
  queryKey: ["teams", "all"],
  queryFn: () => call(api.GET("/api/v2/team/query", { params: { query: { limit: teamsListed, page: 0, sort: "name", order: "ASC" } } })),
});

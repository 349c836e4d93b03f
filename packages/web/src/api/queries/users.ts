import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type User = components["schemas"]["User"];

/** More than these are not looked through; the page says so. */
export const usersListed = 1000;

/** All users of the instance, by address. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: () => call(api.GET("/api/v2/user/query", { params: { query: { limit: usersListed, page: 0, sort: "email", order: "ASC" } } })),
});

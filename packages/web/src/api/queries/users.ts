import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type User = components["schemas"]["User"];

export interface UserFilter {
  search: string;
  /** Empty: all. */
  status: string;
  /** Empty: all. */
  type: string;
  /** From 0. */
  page: number;
}

export const usersPageSize = 100;

/** The users of the instance, by address. */
export const usersQuery = ({ search, status, type, page }: UserFilter) =>
  queryOptions({
    queryKey: ["users", { search, status, type, page }],
    queryFn: () => {
      const asked = {
        ...(search !== "" && { search }),
        ...(status !== "" && { status: [status as User["status"]] }),
        ...(type !== "" && { types: [type as User["type"]] }),
      };
      return call(
        api.GET("/api/v2/user/query", { params: { query: { limit: usersPageSize, page, sort: "email", order: "ASC", ...asked } } }),
      );
    },
    placeholderData: keepPreviousData,
  });

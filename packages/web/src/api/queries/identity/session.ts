import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type User = components["schemas"]["User"];

interface UserFilter {
  search: string;
  /** Empty: all statuses. */
  status: string;
  /** Empty: all types. */
  type: string;
  /** From 0. */
  page: number;
}

export const usersPageSize = 100;

/** The users of the instance, by email address. */
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

export type Team = components["schemas"]["Team"];

interface TeamFilter {
  search: string;
  /** Empty: all statuses. */
  status: string;
  /** From 0. */
  page: number;
}

export const teamsPageSize = 100;

/** The teams of the instance by name, for its administrators. */
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

export const teamQuery = (team: string) =>
  queryOptions({ queryKey: ["team", team], queryFn: () => call(api.GET("/api/v2/team/{team}", { params: { path: { team } } })) });

/** The teams visible to the caller with this text in a name: the first of them, by name. */
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

export type Parameter = components["schemas"]["AbstractParam"];

/** The parameters of the instance; those of a team are part of the team. */
export const globalParametersQuery = queryOptions({
  queryKey: ["global-parameters"],
  queryFn: () => call(api.GET("/api/v2/parameters")),
});

export const callerQuery = queryOptions({ queryKey: ["caller"], queryFn: () => call(api.GET("/api/v2/auth/caller")), staleTime: 60_000 });
export const methodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  queryFn: () => call(api.GET("/api/v2/auth/methods")),
  staleTime: 300_000,
});
export const profileQuery = queryOptions({ queryKey: ["profile"], queryFn: () => call(api.GET("/api/v2/profile")) });
export const sessionsQuery = queryOptions({ queryKey: ["sessions"], queryFn: () => call(api.GET("/api/v2/auth/sessions")) });
export const featuresQuery = queryOptions({
  queryKey: ["features"],
  queryFn: () => call(api.GET("/api/v2/features", { cache: "no-cache" })),
  staleTime: 300_000,
});

/** Always requested again, whatever is cached: a feature that was switched off disappears at once. */
export const navigationQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ["navigation", team],
    queryFn: () => call(api.GET("/api/v2/navigation", { cache: "no-cache", params: { query: team === undefined ? {} : { team } } })),
    staleTime: 60_000,
  });

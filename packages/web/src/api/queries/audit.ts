import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];

/** What is looked for; all of it must hold. Times are milliseconds since the epoch. */
export interface AuditFilter {
  page: number;
  actors?: string[];
  kinds?: string[];
  actions?: string[];
  objects?: string[];
  teams?: string[];
  requestId?: string;
  fromDate?: number;
  toDate?: number;
}

export const auditPageSize = 50;

/** Records of a team, or of the instance where no team is given; the newest first. */
export const auditQuery = (team: string | undefined, filter: AuditFilter) =>
  queryOptions({
    queryKey: ["audit", team ?? "**", filter],
    queryFn: () => {
      const { teams, ...ofTeam } = filter;
      const query = { limit: auditPageSize, ...ofTeam };
      if (team === undefined) return call(api.GET("/api/v2/audit/query", { params: { query: { ...query, ...(teams && { teams }) } } }));
      return call(api.GET("/api/v2/team/{team}/audit/query", { params: { path: { team }, query } }));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** One record as a whole, also where its states are too large for a list. */
export const auditEntryQuery = (team: string | undefined, auditId: string) =>
  queryOptions({
    queryKey: ["audit", team ?? "**", auditId],
    queryFn: () =>
      team === undefined
        ? call(api.GET("/api/v2/audit/{auditId}", { params: { path: { auditId } } }))
        : call(api.GET("/api/v2/team/{team}/audit/{auditId}", { params: { path: { team, auditId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type SearchHit = components["schemas"]["SearchHit"];

/** Teams, workflows, tasks and templates by name, among everything the caller may read. An empty text returns the newest. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    queryFn: async () => (await call(api.GET("/api/v2/search", { params: { query: { q: text, limit: 8 } } }))).hits,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

export type Overview = components["schemas"]["Overview"];

/** The caller's teams with counts, open actions and recent runs. */
export const overviewQuery = (mine = false) =>
  queryOptions({
    queryKey: ["overview", mine],
    queryFn: () => call(api.GET("/api/v2/overview", { params: { query: { limit: 20, mine } } })),
    placeholderData: keepPreviousData,
  });

export const checkTeamName = (name: string) => call(api.POST("/api/v2/team/validate-name", { body: { name } }));

export const createTeam = (body: components["schemas"]["TeamRequest"]) => call(api.POST("/api/v2/team", { body }));

export type AuditEntry = components["schemas"]["AuditEntry"];

/** Criteria that must all match. Times are milliseconds since the epoch. */
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

/** Audit records of a team or, without a team, of the instance; newest first. */
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

/** A complete record, including states that are too large for a list. */
export const auditEntryQuery = (team: string | undefined, auditId: string) =>
  queryOptions({
    queryKey: ["audit", team ?? "**", auditId],
    queryFn: () =>
      team === undefined
        ? call(api.GET("/api/v2/audit/{auditId}", { params: { path: { auditId } } }))
        : call(api.GET("/api/v2/team/{team}/audit/{auditId}", { params: { path: { team, auditId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type History = components["schemas"]["History"];
export type HistoryFigures = components["schemas"]["HistoryFigures"];

const refreshMs = 30_000;

/** How much history is stored, and what its removal does. No event reports changes of it, so it is polled. */
export const historyQuery = queryOptions({
  queryKey: ["history"],
  queryFn: () => call(api.GET("/api/v2/system/history")),
  refetchInterval: refreshMs,
});

export type Worker = components["schemas"]["Worker"];
export type WorkerExecutor = components["schemas"]["WorkerExecutor"];
export type Workers = components["schemas"]["Workers"];

/** The workers with their work and what waits for them. The stream of changes reports when to request it again. */
export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: () => call(api.GET("/api/v2/system/workers")),
});

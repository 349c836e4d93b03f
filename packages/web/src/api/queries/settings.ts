import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type SearchHit = components["schemas"]["SearchHit"];

/** Teams, workflows, tasks and templates by name, over everything that the caller may read; nothing asked: the newest. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    queryFn: async () => (await call(api.GET("/api/v2/search", { params: { query: { q: text, limit: 8 } } }))).hits,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

export type Overview = components["schemas"]["Overview"];

/** Teams with counts, open actions and recent runs of who asks. */
export const overviewQuery = (mine = false) =>
  queryOptions({
    queryKey: ["overview", mine],
    queryFn: () => call(api.GET("/api/v2/overview", { params: { query: { limit: 20, mine } } })),
    placeholderData: keepPreviousData,
  });

export const checkTeamName = (name: string) => call(api.POST("/api/v2/team/validate-name", { body: { name } }));

export const createTeam = (body: components["schemas"]["TeamRequest"]) => call(api.POST("/api/v2/team", { body }));

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

export type History = components["schemas"]["History"];
export type HistoryFigures = components["schemas"]["HistoryFigures"];

const refreshMs = 30_000;

/** How much history there is, and what its removal does. Nothing else changes with it, so it is asked for again by time. */
export const historyQuery = queryOptions({
  queryKey: ["history"],
  queryFn: () => call(api.GET("/api/v2/system/history")),
  refetchInterval: refreshMs,
});

export type Worker = components["schemas"]["Worker"];
export type WorkerExecutor = components["schemas"]["WorkerExecutor"];
export type Workers = components["schemas"]["Workers"];

/** The workers with what they do and what waits for them. The stream of changes tells when it is to be asked for again. */
export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: () => call(api.GET("/api/v2/system/workers")),
});

export type SettingGroup = components["schemas"]["Setting"];
export type SettingConfig = components["schemas"]["SettingConfig"];

/** Every group of settings with the values in force; secrets are empty. */
export const settingsQuery = queryOptions({ queryKey: ["settings"], queryFn: () => call(api.GET("/api/v2/settings")) });

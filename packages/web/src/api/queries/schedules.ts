import type { ScheduleFiring, ScheduleInput, ScheduleStatus, ScheduleType, WorkflowSchedule } from "@millrace/contract/schedule.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { Workflow } from "./workflow/workflows.ts";

/** A schedule as the API returns it; the API document uses one schema for reading and writing. */
export type Schedule = WorkflowSchedule;
export type Firing = ScheduleFiring;

interface Page<Item> {
  content: Item[];
  totalElements: number;
  totalPages: number;
}

export interface ScheduleFilter {
  workflows?: readonly string[];
  statuses?: readonly ScheduleStatus[];
  types?: readonly ScheduleType[];
  search?: string;
  limit?: number;
  page?: number;
}

/** The maximum that the calendar accepts per request. */
export const maxCalendarSchedules = 100;

export const schedulesQuery = (team: string, { workflows, statuses, types, search, limit = 50, page = 0 }: ScheduleFilter = {}) =>
  queryOptions({
    queryKey: ["schedules", team, { workflows, statuses, types, search, limit, page }],
    queryFn: async () => {
      const query = {
        ...{ limit, page },
        ...(workflows?.length && { workflows: [...workflows] }),
        ...(statuses?.length && { statuses: [...statuses] }),
        ...(types?.length && { types: [...types] }),
        ...(search && { search }),
      };
      const answer = await call(api.GET("/api/v2/team/{team}/schedule/query", { params: { path: { team }, query } }));
      return answer as Page<Schedule>;
    },
    placeholderData: keepPreviousData,
  });

export const scheduleQuery = (team: string, scheduleId: string) =>
  queryOptions({
    queryKey: ["schedule", team, scheduleId],
    queryFn: async () =>
      (await call(api.GET("/api/v2/team/{team}/schedule/{scheduleId}", { params: { path: { team, scheduleId } } }))) as Schedule,
  });

/** The error in an expression, or its next ten times. */
export const cronQuery = (
  team: string,
  { cron, timezone, exclusions }: { cron: string; timezone: string; exclusions: readonly string[] },
) =>
  queryOptions({
    queryKey: ["cron", team, cron, timezone, exclusions],
    queryFn: () => {
      const query = { cron, timezone, ...(exclusions.length > 0 && { exclusions: [...exclusions] }) };
      return call(api.GET("/api/v2/team/{team}/schedule/validate-cron", { params: { path: { team }, query } }));
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** The coming times of schedules in a range of milliseconds. */
export const calendarQuery = (team: string, schedules: readonly string[], fromDate: number, toDate: number) =>
  queryOptions({
    queryKey: ["calendar", team, schedules, fromDate, toDate],
    queryFn: () => {
      const query = { schedules: [...schedules], fromDate, toDate };
      return call(api.GET("/api/v2/team/{team}/schedule/calendars", { params: { path: { team }, query } }));
    },
    enabled: schedules.length > 0,
    placeholderData: keepPreviousData,
  });

export interface FiringFilter {
  fromDate?: number;
  toDate?: number;
  limit?: number;
  page?: number;
}

/** The outcomes of a schedule's times, newest first. */
export const firingsQuery = (team: string, scheduleId: string, filter: FiringFilter = {}) =>
  queryOptions({
    queryKey: ["firings", team, scheduleId, filter],
    queryFn: () => {
      const query = { limit: 20, page: 0, ...filter };
      return call(
        api.GET("/api/v2/team/{team}/schedule/{scheduleId}/firings", { params: { path: { team, scheduleId }, query } }),
      ) as Promise<Page<Firing>>;
    },
    placeholderData: keepPreviousData,
  });

/** The statuses of the firings' runs; a hundred ids fit into a URL. */
export const firingRunsQuery = (team: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ["runs", team, "of-firings", ids],
    queryFn: async () => {
      const query = { workflowruns: [...ids], limit: 100, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflowrun/query", { params: { path: { team }, query } }));
      return content.map(({ id, status, phase }) => ({ id, status, phase }));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });

/** The workflows of the team, as choices. */
export const workflowChoicesQuery = (team: string) =>
  queryOptions({
    queryKey: ["workflows", team, "choices"],
    queryFn: async () => {
      const query = { limit: 1000, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflow/query", { params: { path: { team }, query } }));
      return content.map(({ name, displayName }) => ({ value: name, label: displayName || name }));
    },
  });

/** What a schedule form needs from its workflow: the parameters, and whether schedules may trigger it. */
export const scheduledWorkflowQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "scheduled"],
    queryFn: async () => {
      const params = { path: { team, workflow }, query: { withTasks: false } };
      const { params: declared, triggers } = (await call(api.GET("/api/v2/team/{team}/workflow/{workflow}", { params }))) as Workflow;
      return { params: declared ?? [], isTriggerOn: triggers?.schedule?.enabled === true };
    },
    enabled: workflow !== "",
  });

/** Creates a schedule, or updates the one with that id. */
export async function saveSchedule(team: string, body: ScheduleInput): Promise<Schedule> {
  const answer = await call(api.PUT("/api/v2/team/{team}/schedule", { params: { path: { team } }, body }));
  return answer as Schedule;
}

export function deleteSchedule(team: string, scheduleId: string): Promise<unknown> {
  return call(api.DELETE("/api/v2/team/{team}/schedule/{scheduleId}", { params: { path: { team, scheduleId } } }));
}

/** Starts a run with everything that the schedule sets, including its secrets. */
export function runScheduleNow(team: string, scheduleId: string) {
  return call(api.POST("/api/v2/team/{team}/schedule/{scheduleId}/submit", { params: { path: { team, scheduleId } } }));
}

export interface BackfillRequest {
  from: string;
  to: string;
  preview: boolean;
  timeParam?: string;
}

export function backfillSchedule(team: string, scheduleId: string, body: BackfillRequest) {
  return call(api.POST("/api/v2/team/{team}/schedule/{scheduleId}/backfill", { params: { path: { team, scheduleId } }, body }));
}

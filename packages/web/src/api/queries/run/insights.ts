import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type Insight = components["schemas"]["WorkflowRunInsight"];

export interface InsightFilter {
  /** Milliseconds since the epoch; the end is exclusive. */
  fromDate: number;
  toDate: number;
  /** The time zone in which days begin. */
  timezone: string;
  workflows?: readonly string[];
}

const queryOf = ({ workflows, ...rest }: InsightFilter) => ({ ...rest, limit: 0, ...(workflows?.length && { workflows: [...workflows] }) });

/** Statistics of a team's runs, without the runs. */
export const teamInsightsQuery = (team: string, filter: InsightFilter) =>
  queryOptions({
    queryKey: ["insights", team, filter],
    queryFn: () => call(api.GET("/api/v2/team/{team}/insights", { params: { path: { team }, query: queryOf(filter) } })),
    placeholderData: keepPreviousData,
  });

/** The same for all teams. */
export const instanceInsightsQuery = (filter: InsightFilter) =>
  queryOptions({
    queryKey: ["instance-insights", filter],
    queryFn: () => call(api.GET("/api/v2/insights", { params: { query: queryOf(filter) } })),
    placeholderData: keepPreviousData,
  });

export type Times = components["schemas"]["InsightTimes"];

/** How the tasks of a team spent their time. */
export const teamTimesQuery = (team: string, { fromDate, toDate, workflows }: InsightFilter) =>
  queryOptions({
    queryKey: ["insights", team, "times", fromDate, toDate, workflows],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/insights/times", {
          params: { path: { team }, query: { fromDate, toDate, ...(workflows?.length && { workflows: [...workflows] }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export type Forecast = components["schemas"]["ScheduleForecast"];

/** The runs that its schedules will start in the coming hours. */
export const forecastQuery = (team: string, hours: number) =>
  queryOptions({
    queryKey: ["forecast", team, hours],
    queryFn: () => call(api.GET("/api/v2/team/{team}/insights/forecast", { params: { path: { team }, query: { hours } } })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

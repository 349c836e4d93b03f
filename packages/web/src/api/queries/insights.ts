import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Insight = components["schemas"]["WorkflowRunInsight"];

export interface InsightFilter {
  /** Milliseconds since the epoch; the end is exclusive. */
  fromDate: number;
  toDate: number;
  /** Where days begin. */
  timezone: string;
  workflows?: readonly string[];
}

const queryOf = ({ workflows, ...rest }: InsightFilter) => ({ ...rest, limit: 0, ...(workflows?.length && { workflows: [...workflows] }) });

/** What the runs of a team tell together, without the runs. */
export const teamInsightsQuery = (team: string, filter: InsightFilter) =>
  queryOptions({
    queryKey: ["insights", team, filter],
    queryFn: () => call(api.GET("/api/v2/team/{team}/insights", { params: { path: { team }, query: queryOf(filter) } })),
    placeholderData: keepPreviousData,
  });

/** The same of all teams. */
export const instanceInsightsQuery = (filter: InsightFilter) =>
  queryOptions({
    queryKey: ["instance-insights", filter],
    queryFn: () => call(api.GET("/api/v2/insights", { params: { query: queryOf(filter) } })),
    placeholderData: keepPreviousData,
  });

import { workflowRunInsight } from "@millrace/contract/run/insight.ts";
import { ref } from "@millrace/contract/schema.ts";
import { statuses } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { isTimeZone } from "../../../core/cron/local-days.ts";
import { type InsightRequest, readInsights } from "../../../domain/run/insights/read-insights.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { date, list, listOf, teamPath, toDateRange } from "../../request-parameters.ts";
import { viewInsights, viewTopTeams } from "./insights.view.ts";

const insightParameters = Type.Object({
  fromDate: date("Runs created at this time or later; default 30 days before the end"),
  toDate: date("Runs created before this time; default now"),
  workflows: list("Names or IDs of workflows; default all"),
  statuses: listOf(statuses, "Default all"),
  timezone: Type.String({ default: "UTC", maxLength: 100, description: "Where days begin", examples: ["Europe/Oslo"] }),
  limit: Type.Integer({ minimum: 0, maximum: 1000, default: 1000, description: "Number of runs to list, latest first" }),
});

/** @param teamId undefined: all teams */
function toInsightRequest(query: Type.Static<typeof insightParameters>, teamId: string | undefined): InsightRequest {
  const { timezone: timeZone, limit } = query;
  if (!isTimeZone(timeZone)) {
    throw new AppError("QUERY_INVALID_FILTERS", [
      "timezone",
      `${JSON.stringify(timeZone)} is not a time zone; use a name such as Europe/Oslo or UTC`,
    ]);
  }
  const { from, to } = toDateRange(query);
  const workflows = query.workflows?.length ? query.workflows : undefined;
  return { teamId, from, to, timeZone, workflows, statuses: query.statuses?.length ? query.statuses : undefined, runLimit: limit };
}

export const getTeamInsights = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/insights",
  summary: "Read the statistics of the runs of a team",
  description: "Number of runs, outcomes, durations and waiting times, by day and for the workflows with the most runs.",
  tag: "Insights",
  permission: "insights/read",
  transaction: "read",
  params: teamPath,
  query: insightParameters,
  response: ref(workflowRunInsight),
  async handle({ db, team, query }) {
    return viewInsights(await readInsights(db, toInsightRequest(query, team.id)), query.timezone);
  },
});

export const getInstanceInsights = defineEndpoint({
  method: "GET",
  path: "/api/v2/insights",
  summary: "Read the statistics of the runs of all teams",
  description: "Like the insights of a team, with the teams that have the most runs.",
  tag: "Insights",
  permission: "insights/read",
  transaction: "read",
  query: insightParameters,
  response: ref(workflowRunInsight),
  async handle({ db, query }) {
    const insights = await readInsights(db, toInsightRequest(query, undefined));
    return { ...viewInsights(insights, query.timezone), teams: viewTopTeams(insights) };
  },
});

import { workflowRunInsight } from "@millrace/contract/insight.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readInsights } from "../../../domain/run/read-insights.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { teamPath } from "../../team-path.ts";
import { insightParameters, toInsightRequest } from "./insight-request.ts";
import { viewInsights } from "./insights.view.ts";

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

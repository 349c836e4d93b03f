import { workflowRunInsight } from "@millrace/contract/insight.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readInsights } from "../../../domain/run/read-insights.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { insightParameters, toInsightRequest } from "./insight-request.ts";
import { viewInsights, viewTopTeams } from "./insights.view.ts";

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

import { statuses } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { isTimeZone } from "../../../core/cron/local-days.ts";
import type { InsightRequest } from "../../../domain/run/read-insights.ts";
import { date, list, listOf, toDateRange } from "../../query-parameters.ts";

export const insightParameters = Type.Object({
  fromDate: date("Runs created at this time or later; default 30 days before the end"),
  toDate: date("Runs created before this time; default now"),
  workflows: list("Names or IDs of workflows; default all"),
  statuses: listOf(statuses, "Default all"),
  timezone: Type.String({ default: "UTC", maxLength: 100, description: "Where days begin", examples: ["Europe/Oslo"] }),
  limit: Type.Integer({ minimum: 0, maximum: 1000, default: 1000, description: "Number of runs to list, latest first" }),
});

/** @param teamId undefined: all teams */
export function toInsightRequest(query: Type.Static<typeof insightParameters>, teamId: string | undefined): InsightRequest {
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

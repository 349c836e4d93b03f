import { mostForecastHours, scheduleForecast } from "@millrace/contract/run/insight-forecast.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { forecastRuns } from "../../../domain/schedule/forecast-runs.ts";
import { allows } from "../../../policy/allows.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { teamPath } from "../../request-parameters.ts";

export const getForecast = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/insights/forecast",
  summary: "Read what the schedules of a team are going to start, against its quotas",
  description:
    "How many runs the active schedules start in each of the coming hours, how many of them run at once if each takes as long as usual, and the " +
    "hours in which that exceeds a quota of the team. Runs that are started in other ways are not foreseen.",
  tag: "Insights",
  permission: "insights/read",
  transaction: "none",
  params: teamPath,
  query: Type.Object({
    hours: Type.Integer({ minimum: 1, maximum: mostForecastHours, default: 24, description: "How far to look ahead" }),
  }),
  response: ref(scheduleForecast),
  async handle({ db, team, query, principal, services }) {
    const forecast = await forecastRuns(db, services.runs.settings, team.id, query.hours);
    const { quotas } = forecast;
    return {
      fromDate: forecast.from.toISOString(),
      toDate: forecast.to.toISOString(),
      maxConcurrentRuns: orNone(quotas.maxConcurrentRuns),
      maxWorkflowRunMonthly: orNone(quotas.maxWorkflowRunMonthly),
      runsThisMonth: forecast.runsThisMonth,
      totalRuns: forecast.totalRuns,
      runsOfUnknownDuration: forecast.unknownDurations,
      isPartial: forecast.isPartial,
      hours: forecast.hours.map(({ atMs, ...hour }) => ({ date: new Date(atMs).toISOString(), ...hour })),
      schedules: allows(principal, "schedule/read", team.id) ? forecast.schedules.map(viewSchedule) : [],
    };
  },
});

const orNone = (limit: number) => (Number.isFinite(limit) ? limit : null);

function viewSchedule({ schedule, runs, usualMs }: Awaited<ReturnType<typeof forecastRuns>>["schedules"][number]) {
  return {
    scheduleRef: schedule.id,
    name: schedule.name,
    workflowRef: schedule.workflowId,
    workflowName: schedule.workflowName,
    workflowDisplayName: schedule.workflowDisplayName,
    runs,
    ...(usualMs !== undefined && { usualDuration: Math.round(usualMs) }),
  };
}

import Type, { type Static } from "typebox";
import { named, ref } from "../schema.ts";

/** The runs that schedules are going to start, compared with the quotas of the team. Durations are milliseconds, dates ISO 8601 in UTC. */

/** The most hours that a forecast can cover. */
export const mostForecastHours = 168;

export interface ForecastHour extends Static<typeof forecastHour> {}
export const forecastHour = named(
  "ForecastHour",
  Type.Object({
    date: Type.String({ description: "Its beginning" }),
    runs: Type.Integer({ description: "That start in it" }),
    concurrent: Type.Integer({ description: "The most at the same moment, if each takes as long as usual" }),
    isOverConcurrent: Type.Boolean({ description: "More than `maxConcurrentRuns`: runs will wait in the queue" }),
    isOverMonthly: Type.Boolean({ description: "Beyond `maxWorkflowRunMonthly`: runs will be refused" }),
  }),
);

export interface ForecastSchedule extends Static<typeof forecastSchedule> {}
export const forecastSchedule = named(
  "ForecastSchedule",
  Type.Object({
    scheduleRef: Type.String(),
    name: Type.String(),
    workflowRef: Type.String(),
    workflowName: Type.String(),
    workflowDisplayName: Type.String(),
    runs: Type.Integer(),
    usualDuration: Type.Optional(
      Type.Integer({ format: "int64", description: "The median of recent successful runs; absent when fewer than five are known" }),
    ),
  }),
);

export interface ScheduleForecast extends Static<typeof scheduleForecast> {}
const orNone = (description: string) => Type.Unsafe<number | null>({ type: ["integer", "null"], description });
export const scheduleForecast = named(
  "ScheduleForecast",
  Type.Object(
    {
      fromDate: Type.String(),
      toDate: Type.String(),
      maxConcurrentRuns: orNone("The quota of the team; null: none"),
      maxWorkflowRunMonthly: orNone("The quota of the team; null: none"),
      runsThisMonth: Type.Integer({ description: "Submitted so far, however they were started" }),
      totalRuns: Type.Integer({ description: "That the schedules start" }),
      runsOfUnknownDuration: Type.Integer({ description: "Of these, those that count as concurrent only at their start" }),
      isPartial: Type.Boolean({ description: "There are more schedules, or more times, than are counted" }),
      hours: Type.Array(ref(forecastHour), { description: "Every hour, the present one first" }),
      schedules: Type.Array(ref(forecastSchedule), {
        description: "The 20 that start the most runs; needs the permission `schedule/read`",
      }),
    },
    {
      examples: [
        {
          fromDate: "2026-03-01T12:00:00.000Z",
          toDate: "2026-03-01T13:00:00.000Z",
          maxConcurrentRuns: 4,
          maxWorkflowRunMonthly: 300,
          runsThisMonth: 120,
          totalRuns: 12,
          runsOfUnknownDuration: 0,
          isPartial: false,
          hours: [{ date: "2026-03-01T12:00:00.000Z", runs: 12, concurrent: 5, isOverConcurrent: true, isOverMonthly: false }],
          schedules: [
            {
              scheduleRef: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c99",
              name: "every 5 minutes",
              workflowRef: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
              workflowName: "welcome",
              workflowDisplayName: "Welcome",
              runs: 12,
              usualDuration: 1_500_000,
            },
          ],
        },
      ],
    },
  ),
);

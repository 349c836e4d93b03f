import { setImmediate } from "node:timers/promises";
import { type WorkflowScheduleCalendar, workflowScheduleCalendar } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { calendarTimes } from "../../core/schedule/timing.ts";
import { readClock } from "../../store/database/clock.ts";
import { listSchedules } from "../../store/schedule/schedules.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath, toDateRange } from "../request-parameters.ts";

const maxSchedules = 100;
/** Of each schedule. */
const maxDates = 1000;

const epochMs = (description: string) =>
  Type.Integer({
    format: "int64",
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description: `${description}, in milliseconds since the epoch`,
  });

export const listCalendars = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/calendars",
  summary: "List when schedules fire in a period",
  description:
    `The upcoming dates of each schedule, at most ${maxDates}. Paused schedules are included as if they were active; archived and completed ones are not.  ` +
    "Excluded days and schedules of other teams are left out.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "none",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    schedules: Type.Array(Type.String({ maxLength: 400 }), { minItems: 1, maxItems: maxSchedules, description: "IDs of schedules" }),
    fromDate: epochMs("Not before this time, and not before now"),
    toDate: epochMs("Not after this time"),
  }),
  response: Type.Array(ref(workflowScheduleCalendar)),
  async handle({ db, team, query, principal }) {
    const range = toDateRange(query) as { from: Date; to: Date };
    const now = await readClock(db);
    const filter = { ids: query.schedules, onlyWorkflowId: principal.workflowId };
    const schedules = await listSchedules(db, team.id, filter, { limit: maxSchedules, offset: 0 });
    const calendars: WorkflowScheduleCalendar[] = [];
    for (const schedule of schedules) {
      calendars.push({
        scheduleId: schedule.id,
        dates: calendarTimes(schedule, range, now, maxDates).map((date) => date.toISOString()),
      });
      // A thousand dates take a while, so other requests are served in between.
      await setImmediate();
    }
    return calendars;
  },
});

import { type CronValidationResponse, cronValidationResponse } from "@millrace/contract/schedule.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { parseCron } from "../../core/cron/parse-cron.ts";
import { timeZoneFault } from "../../core/cron/time-zone.ts";
import { type DayRange, parseDayRange } from "../../core/schedule/excluded-days.ts";
import { timesBetween } from "../../core/schedule/timing.ts";
import { readClock } from "../../store/database/clock.ts";
import { defineEndpoint } from "../endpoint.ts";
import { list, teamPath } from "../request-parameters.ts";

const shownFirings = 10;
/** The last date in JavaScript. */
const lastMoment = new Date(8.64e15);

export const validateCron = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/validate-cron",
  summary: "Check a cron expression and show when it fires next",
  description:
    "An invalid expression is not an error: valid is false, and message says why. " +
    "Five fields are read as Unix cron, six and seven as Quartz. An expression that never fires again is invalid.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "none",
  params: teamPath,
  query: Type.Object({
    cron: Type.String({ description: "The expression, of at most 250 characters", examples: ["0 9 * * MON-FRI"] }),
    timezone: Type.String({
      default: "UTC",
      description: "IANA name of the time zone for next",
      examples: ["Europe/Berlin"],
    }),
    exclusions: list("Days that are left out, as in the `exclusions` of a schedule"),
  }),
  response: cronValidationResponse,
  handle: async ({ db, query }) => {
    const fault = timeZoneFault(query.timezone);
    if (fault !== undefined) throw new AppError("VALIDATION_FAILED", [fault], { details: [{ path: "timezone", message: fault }] });
    return check(query.cron, query.timezone, readExclusions(query.exclusions ?? []), await readClock(db));
  },
});

function readExclusions(given: readonly string[]): DayRange[] {
  return given.map((text) => {
    const range = parseDayRange(text);
    if (range) return range;
    const fault = `${JSON.stringify(text)} is neither a day such as 2030-12-25 nor a range such as 2030-12-24/2031-01-02`;
    throw new AppError("VALIDATION_FAILED", [fault], { details: [{ path: "exclusions", message: fault }] });
  });
}

function check(expression: string, timeZone: string, exclusions: readonly DayRange[], now: Date): CronValidationResponse {
  const parsed = parseCron(expression);
  if ("fault" in parsed) return { valid: false, message: `${parsed.fault.message} (at character ${parsed.fault.position + 1})` };
  const times = timesBetween({ cron: parsed.cron, dateAt: undefined, timeZone, exclusions }, now, lastMoment, shownFirings);
  if (times.length > 0) return { valid: true, next: times.map((time) => time.toISOString()) };
  const why = exclusions.length > 0 ? "all of its times are excluded" : "all of its years have passed";
  return { valid: false, message: `The expression never fires again: ${why}` };
}

import { type CronValidationResponse, cronValidationResponse } from "@millrace/contract/cron-validation.ts";
import Type from "typebox";
import { AppError } from "../../base/app-error.ts";
import { firingsBetween } from "../../core/cron/next-firing.ts";
import { parseCron } from "../../core/cron/parse-cron.ts";
import { timeZoneFault } from "../../core/cron/time-zone.ts";
import { readClock } from "../../store/clock.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";

const shownFirings = 5;
/** The last one that there is in JavaScript. */
const lastMoment = new Date(8.64e15);

export const validateCron = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/validate-cron",
  summary: "Check a cron expression and show when it fires next",
  description:
    "An expression that is not valid is an answer, not an error: valid is false, and message says why. " +
    "Five fields are read as Unix cron, six and seven as Quartz. An expression that never fires again is not valid.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "none",
  params: teamPath,
  query: Type.Object({
    cron: Type.String({ description: "The expression, of at most 250 characters", examples: ["0 9 * * MON-FRI"] }),
    timezone: Type.String({
      default: "UTC",
      description: "IANA name of the zone whose clocks count for next",
      examples: ["Europe/Berlin"],
    }),
  }),
  response: cronValidationResponse,
  handle: async ({ db, query }) => {
    const fault = timeZoneFault(query.timezone);
    if (fault !== undefined) throw new AppError("VALIDATION_FAILED", [fault], { details: [{ path: "timezone", message: fault }] });
    return check(query.cron, query.timezone, await readClock(db));
  },
});

function check(expression: string, timeZone: string, now: Date): CronValidationResponse {
  const parsed = parseCron(expression);
  if ("fault" in parsed) return { valid: false, message: `${parsed.fault.message} (at character ${parsed.fault.position + 1})` };
  const firings = firingsBetween(parsed.cron, timeZone, now, lastMoment, shownFirings);
  if (firings.length === 0) return { valid: false, message: "The expression never fires again: all of its years are over" };
  return { valid: true, next: firings.map((firing) => firing.toISOString()) };
}

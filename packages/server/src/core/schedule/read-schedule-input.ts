import {
  catchUpPolicies,
  overlapPolicies,
  type ScheduleInput,
  type ScheduleStatus,
  scheduleStatuses,
  scheduleTypes,
  settableScheduleStatuses,
} from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import { parseCron } from "../cron/parse-cron.ts";
import { timeZoneFault } from "../cron/time-zone.ts";
import { parseDayRange } from "./excluded-days.ts";
import { localTime } from "./future-time.ts";
import type { ScheduleSettings } from "./schedule-fields.ts";

/**
 * The client's input, checked as far as possible without the clock and the workflow. Missing members do not change, or get their default;
 * null and empty text clear members that can be empty.
 *
 * @param current the schedule that is changed; undefined for a new one
 * @throws SCHEDULE_INVALID_REQ, SCHEDULE_INVALID_CRON
 */
export function readScheduleInput(input: ScheduleInput, current: ScheduleSettings | undefined, workflowName: string): ScheduleSettings {
  const type = wordOf("type", input.type, scheduleTypes) ?? current?.type ?? "cron";
  const timezone = readTimeZone(input.timezone, current?.timezone);
  return {
    name: input.name?.trim() || (current?.name ?? workflowName),
    description: input.description === undefined ? (current?.description ?? null) : input.description || null,
    type,
    status: readStatus(input.status, current?.status),
    labels: input.labels === undefined ? (current?.labels ?? {}) : (input.labels ?? {}),
    cron: type === "runOnce" ? null : readCron(input.cronSchedule, current?.cron ?? undefined),
    dateAt: type === "runOnce" ? readDate(input.dateSchedule, current?.dateAt ?? undefined, timezone) : null,
    timezone,
    overlapPolicy: wordOf("overlapPolicy", input.overlapPolicy, overlapPolicies) ?? current?.overlapPolicy ?? "queue",
    catchUpPolicy: wordOf("catchUpPolicy", input.catchUpPolicy, catchUpPolicies) ?? current?.catchUpPolicy ?? "one",
    catchUpWindowMinutes: input.catchUpWindow === undefined ? (current?.catchUpWindowMinutes ?? null) : input.catchUpWindow,
    jitterSeconds: input.jitter === undefined ? (current?.jitterSeconds ?? 0) : (input.jitter ?? 0),
    exclusions: input.exclusions === undefined ? (current?.exclusions ?? []) : readExclusions(input.exclusions ?? []),
  };
}

/** Words are matched ignoring case; absent and empty become undefined. */
function wordOf<const Words extends readonly string[]>(
  member: string,
  given: string | null | undefined,
  words: Words,
): Words[number] | undefined {
  const wanted = given?.trim().toLowerCase();
  if (!wanted) return undefined;
  const word = words.find((known) => known.toLowerCase() === wanted);
  if (word === undefined) throw invalid(`${member} is ${JSON.stringify(given)}; it must be one of ${words.join(", ")}`);
  return word;
}

/** A client that sends back a response may include a status that only the service sets; it is not treated as a request to change it. */
function readStatus(given: string | null | undefined, current: ScheduleStatus | undefined): ScheduleStatus {
  const word = wordOf("status", given, scheduleStatuses) ?? current ?? "active";
  if (word === current || settableScheduleStatuses.some((settable) => settable === word)) return word;
  throw invalid(`status ${word} is set by the service; you can set ${settableScheduleStatuses.join(", ")}`);
}

function readTimeZone(given: string | null | undefined, current: string | undefined): string {
  const zone = given?.trim() || current;
  if (zone === undefined) throw invalid("timezone is missing; give an IANA name such as Europe/Berlin or UTC");
  const fault = timeZoneFault(zone);
  if (fault !== undefined) throw invalid(fault);
  return zone;
}

function readCron(given: string | null | undefined, current: string | undefined): string {
  const text = given?.trim() || current;
  if (text === undefined) throw invalid("cronSchedule is missing; give a cron expression such as 0 8 * * MON-FRI, or the type runOnce");
  const parsed = parseCron(text);
  if ("fault" in parsed)
    throw new AppError("SCHEDULE_INVALID_CRON", [text, `${parsed.fault.message} (at character ${parsed.fault.position + 1})`]);
  return text;
}

function readDate(given: string | number | null | undefined, current: Date | undefined, timezone: string): Date {
  if (given == null || given === "") {
    if (current === undefined) throw invalid("dateSchedule is missing; a schedule of type runOnce needs the date of its run");
    return current;
  }
  const date = typeof given === "number" ? new Date(given) : dateOfText(given.trim(), timezone);
  if (date === undefined || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0) {
    throw invalid(`dateSchedule ${JSON.stringify(given)} is not a date; give ISO 8601 such as 2030-01-31T08:00:00Z, or epoch milliseconds`);
  }
  return date;
}

/** A time without an offset is in the time zone of the schedule. */
function dateOfText(text: string, timezone: string): Date | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  const [, day, clock, offset] = parts ?? [];
  if (day === undefined || clock === undefined || parseDayRange(day) === undefined) return undefined;
  if (offset === undefined) return localTime(day + clock.toUpperCase(), timezone);
  return new Date(`${day}${clock}${offset}`.toUpperCase().replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
}

function readExclusions(given: readonly string[]): string[] {
  const wrong = given.find((text) => parseDayRange(text) === undefined);
  if (wrong !== undefined) {
    throw invalid(`exclusion ${JSON.stringify(wrong)} is neither a day such as 2030-12-25 nor a range such as 2030-12-24/2031-01-02`);
  }
  return given.map((text) => text.trim());
}

function invalid(message: string): AppError {
  return new AppError("SCHEDULE_INVALID_REQ", [message]);
}

import type { Static } from "typebox";
import Type from "typebox";
import { runParam } from "./common.ts";
import { page } from "./page.ts";
import { type AsRead, labelMap, named, orNull, ref, stringEnum } from "./schema.ts";

/** Schedules, which start runs of a workflow at set times. */

export const scheduleTypes = ["cron", "advancedCron", "runOnce"] as const;
export type ScheduleType = (typeof scheduleTypes)[number];

export const scheduleStatuses = ["active", "archived", "inactive", "trigger_disabled", "error", "completed"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** The statuses that a user can set; only the service sets the others. */
export const settableScheduleStatuses = ["active", "inactive", "archived"] as const satisfies readonly ScheduleStatus[];

/** What happens if a schedule is due while one of its runs is still open. */
export const overlapPolicies = ["skip", "queue", "cancel"] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** What happens to firings that were missed during downtime. */
export const catchUpPolicies = ["none", "one", "all"] as const;
export type CatchUpPolicy = (typeof catchUpPolicies)[number];

export const maxJitterSeconds = 3600;
/** A year. */
export const maxCatchUpWindowMinutes = 525_600;
/** A day: how far back `all` catches up unless the schedule sets another window. */
export const defaultCatchUpWindowMinutes = 1440;

/** For the parameters of a schedule as JSON, in characters: a page can have 1,000 schedules, each with its parameters. */
export const maxScheduleParamsLength = 65_536;

/**
 * A schedule in a request: missing members do not change, or get the default. Members that the service sets may be present, and are
 * ignored.
 */
export interface ScheduleInput extends Static<typeof workflowSchedule> {}

/** A schedule in a response; members without a value are left out. */
export interface WorkflowSchedule
  extends AsRead<
    ScheduleInput,
    "id" | "workflowRef" | "workflowDisplayName" | "name" | "creationDate" | "labels" | "timezone" | "params" | "jitter" | "exclusions"
  > {
  type: ScheduleType;
  status: ScheduleStatus;
  /** A request may give milliseconds; a response has ISO 8601. */
  dateSchedule?: string;
  overlapPolicy: OverlapPolicy;
  catchUpPolicy: CatchUpPolicy;
}

const word = (words: readonly string[], description: string) => orNull(Type.String({ examples: [...words], maxLength: 100, description }));

export const workflowSchedule = named(
  "WorkflowSchedule",
  Type.Object(
    {
      id: orNull(Type.String({ maxLength: 400, description: "PUT with an ID changes that schedule, without an ID it creates one" })),
      workflowRef: orNull(Type.String({ maxLength: 400, description: "Name or ID of a workflow of the team. Returned as name" })),
      workflowDisplayName: orNull(Type.String({ description: "Display name of the workflow. Set by the service" })),
      name: orNull(Type.String({ maxLength: 200, description: "Defaults to the name of the workflow" })),
      description: orNull(Type.String({ maxLength: 500 })),
      creationDate: orNull(Type.String({ description: "ISO 8601 in UTC. Set by the service" })),
      type: word(scheduleTypes, `${scheduleTypes.join(", ")}; default cron. cron and advancedCron mean the same`),
      status: word(
        settableScheduleStatuses,
        "active (default), inactive (paused) or archived (retired) as set by a person; trigger_disabled, completed and error are set by the service",
      ),
      statusMessage: orNull(Type.String({ description: "Why it has its status, or the outcome of its last time. Set by the service" })),
      waitingFor: orNull(
        Type.String({
          description:
            "Why it doesn't fire although it is active, and when it continues: the clock of the database went back. Set by the service",
        }),
      ),
      labels: orNull(labelMap({ description: "Added to each run, in addition to those of the workflow" })),
      cronSchedule: orNull(
        Type.String({ maxLength: 500, examples: ["0 8 * * MON-FRI"], description: "Unless runOnce: 5, 6 or 7 fields, or a macro" }),
      ),
      dateSchedule: orNull(
        Type.Unsafe<string | number>({
          type: ["string", "integer"],
          maxLength: 100,
          examples: ["2030-01-31T08:00:00Z"],
          description:
            "For runOnce: ISO 8601 (without an offset it is a time of `timezone`), or milliseconds since the epoch. Read as ISO 8601 in UTC",
        }),
      ),
      timezone: orNull(Type.String({ maxLength: 100, examples: ["Europe/Berlin"], description: "IANA name, required" })),
      params: orNull(Type.Array(ref(runParam), { maxItems: 1000, description: "Passed to each run" })),
      overlapPolicy: word(
        overlapPolicies,
        "If a run of the schedule is still open: queue (default) submits another, skip leaves it out, cancel ends the open ones first",
      ),
      catchUpPolicy: word(
        catchUpPolicies,
        "Times that passed while the service was down: one (default) run for all of them, all of them, or none",
      ),
      catchUpWindow: orNull(
        Type.Integer({
          minimum: 1,
          maximum: maxCatchUpWindowMinutes,
          description: "Minutes back in which missed times are caught up; absent: a day for all, no limit for one",
        }),
      ),
      jitter: orNull(
        Type.Integer({ minimum: 0, maximum: maxJitterSeconds, description: "Each run starts up to this many seconds later; default 0" }),
      ),
      exclusions: orNull(
        Type.Array(Type.String({ maxLength: 30 }), {
          maxItems: 1000,
          examples: [["2030-12-25", "2030-12-31/2031-01-02"]],
          description: "Days in `timezone` on which it doesn't fire: dates, and ranges including both ends",
        }),
      ),
      nextScheduleDate: orNull(
        Type.String({
          description:
            "ISO 8601 in UTC, without the jitter. Set by the service while it is active, or would be if the trigger of its workflow were on",
        }),
      ),
      lastScheduleDate: orNull(Type.String({ description: "The time for which a run was last submitted. Set by the service" })),
      lastRunRef: orNull(Type.String({ description: "ID of that run. Set by the service" })),
    },
    {
      examples: [
        {
          name: "weekday mornings",
          workflowRef: "welcome",
          type: "cron",
          cronSchedule: "0 8 * * MON-FRI",
          timezone: "Europe/Berlin",
          params: [{ name: "name", value: "everyone" }],
          overlapPolicy: "skip",
          exclusions: ["2026-12-25", "2026-12-31/2027-01-02"],
        },
      ],
    },
  ),
);
export const schedulePage = page("PageWorkflowSchedule", workflowSchedule);

/** The times of one schedule in a range. */
export interface WorkflowScheduleCalendar extends Static<typeof workflowScheduleCalendar> {}
export const workflowScheduleCalendar = named(
  "WorkflowScheduleCalendar",
  Type.Object(
    {
      scheduleId: Type.String(),
      dates: Type.Array(Type.String(), { description: "ISO 8601 in UTC, ascending, without the jitter" }),
    },
    { examples: [{ scheduleId: "0198c1de-7d7e-7d1b-96ab-4a3b2c1d0e87", dates: ["2026-03-02T07:00:00.000Z", "2026-03-03T07:00:00.000Z"] }] },
  ),
);

/** The outcome of a time of a schedule. */
export const firingOutcomes = ["submitted", "skipped", "missed", "refused"] as const;
export type FiringOutcome = (typeof firingOutcomes)[number];

export interface ScheduleFiring extends Static<typeof scheduleFiring> {}
export const scheduleFiring = named(
  "ScheduleFiring",
  Type.Object({
    scheduledDate: Type.String({ description: "The scheduled time, without the jitter" }),
    date: Type.String({ description: "When it happened" }),
    outcome: stringEnum(firingOutcomes),
    count: Type.Integer({ minimum: 1, description: "How many times this entry represents; more than 1 only if they were missed" }),
    workflowRunRef: Type.Optional(Type.String({ description: "ID of the submitted run" })),
    message: Type.Optional(Type.String()),
  }),
);
export const scheduleFiringPage = page("PageScheduleFiring", scheduleFiring);

/** The most runs that one backfill starts. */
export const maxBackfillTimes = 100;

/** The past times of a schedule that get a run now. */
export interface ScheduleBackfillRequest extends Static<typeof scheduleBackfillRequest> {}
export const scheduleBackfillRequest = named(
  "ScheduleBackfillRequest",
  Type.Object(
    {
      from: Type.String({ maxLength: 100, description: "Not before this time: ISO 8601 with an offset" }),
      to: Type.String({ maxLength: 100, description: "Not after this time, and not after now" }),
      timeParam: orNull(
        Type.String({ maxLength: 400, description: "A parameter that receives the scheduled time of each run: ISO 8601 in UTC" }),
      ),
      preview: orNull(Type.Boolean({ description: "Only returns the times, and starts nothing. Default false" })),
    },
    { examples: [{ from: "2026-03-01T00:00:00Z", to: "2026-03-03T23:59:59Z", preview: true }] },
  ),
);

/** One time in the range of a backfill. */
export interface ScheduleBackfillTime extends Static<typeof scheduleBackfillTime> {}
export const scheduleBackfillTime = named(
  "ScheduleBackfillTime",
  Type.Object({
    scheduledDate: Type.String({ description: "ISO 8601 in UTC, without the jitter" }),
    isNew: Type.Boolean({ description: "This backfill starts a run for it; false: it already has a run" }),
    outcome: Type.Optional(stringEnum(firingOutcomes, { description: "The recorded outcome of the time before the backfill" })),
    workflowRunRef: Type.Optional(Type.String({ description: "ID of its run. For a new run, only if this is not a preview" })),
  }),
);

export interface ScheduleBackfill extends Static<typeof scheduleBackfill> {}
export const scheduleBackfill = named(
  "ScheduleBackfill",
  Type.Object(
    {
      preview: Type.Boolean(),
      count: Type.Integer({ minimum: 0, description: "Number of runs that it starts, or would start" }),
      times: Type.Array(ref(scheduleBackfillTime), { description: "All times of the range, oldest first" }),
    },
    {
      examples: [
        {
          preview: true,
          count: 1,
          times: [
            {
              scheduledDate: "2026-03-02T07:00:00.000Z",
              isNew: false,
              outcome: "submitted",
              workflowRunRef: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
            },
            { scheduledDate: "2026-03-03T07:00:00.000Z", isNew: true, outcome: "refused" },
          ],
        },
      ],
    },
  ),
);

/** The result of checking a cron expression while a user types it. */
export interface CronValidationResponse extends Static<typeof cronValidationResponse> {}
export const cronValidationResponse = named(
  "CronValidationResponse",
  Type.Object(
    {
      valid: Type.Boolean(),
      message: Type.Optional(
        Type.String({ description: "Only if not valid: what is wrong, where (the first character is 1), and what would be valid" }),
      ),
      next: Type.Optional(
        Type.Array(Type.String({ format: "date-time" }), {
          maxItems: 10,
          description: "Only if valid: the next firing times, at most ten",
        }),
      ),
    },
    {
      examples: [
        { valid: true, next: ["2026-03-02T08:00:00.000Z", "2026-03-03T08:00:00.000Z"] },
        { valid: false, message: "minute 61 is out of range; it can be 0 to 59 (at character 1)" },
      ],
    },
  ),
);

import type { CatchUpPolicy, OverlapPolicy, ScheduleInput, ScheduleType, WorkflowSchedule } from "@millrace/contract/schedule.ts";
import { localText } from "../../ui/time/zone-time.ts";
import type { ParamValues } from "../parameter-form.tsx";

/** A schedule while somebody writes it: all that the form shows. */
export interface ScheduleDraft {
  id: string | undefined;
  workflow: string;
  name: string;
  description: string;
  type: ScheduleType;
  cron: string;
  /** `YYYY-MM-DDTHH:mm` on the clocks of `timezone`. */
  date: string;
  timezone: string;
  params: ParamValues;
  /** `key=value` */
  labels: string[];
  overlapPolicy: OverlapPolicy;
  catchUpPolicy: CatchUpPolicy;
  /** Minutes; empty: the default of the policy. */
  catchUpWindow: number | "";
  /** Seconds. */
  jitter: number;
  exclusions: string[];
}

export function newDraft(timezone: string, workflow = ""): ScheduleDraft {
  return {
    id: undefined,
    workflow,
    name: "",
    description: "",
    type: "cron",
    cron: "0 8 * * MON-FRI",
    date: "",
    timezone,
    params: {},
    labels: [],
    overlapPolicy: "queue",
    catchUpPolicy: "one",
    catchUpWindow: "",
    jitter: 0,
    exclusions: [],
  };
}

export function draftOf(schedule: WorkflowSchedule): ScheduleDraft {
  return {
    id: schedule.id,
    workflow: schedule.workflowRef,
    name: schedule.name,
    description: schedule.description ?? "",
    type: schedule.type,
    cron: schedule.cronSchedule ?? "",
    date: schedule.dateSchedule === undefined ? "" : localText(schedule.timezone, schedule.dateSchedule),
    timezone: schedule.timezone,
    params: Object.fromEntries(schedule.params.map(({ name, value }) => [name, value])),
    labels: Object.entries(schedule.labels).map(([key, value]) => `${key}=${value}`),
    overlapPolicy: schedule.overlapPolicy,
    catchUpPolicy: schedule.catchUpPolicy,
    catchUpWindow: schedule.catchUpWindow ?? "",
    jitter: schedule.jitter,
    exclusions: schedule.exclusions,
  };
}

/** What is sent. Parameters that nobody has filled in are left to the workflow's defaults; a secret that is left empty stays as it is. */
export function inputOf(draft: ScheduleDraft): ScheduleInput {
  const isOnce = draft.type === "runOnce";
  return {
    ...(draft.id !== undefined && { id: draft.id }),
    workflowRef: draft.workflow,
    name: draft.name.trim() || null,
    description: draft.description.trim() || null,
    type: draft.type,
    cronSchedule: isOnce ? null : draft.cron.trim(),
    dateSchedule: isOnce ? draft.date : null,
    timezone: draft.timezone,
    params: Object.entries(draft.params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value })),
    labels: labelsOf(draft.labels),
    overlapPolicy: draft.overlapPolicy,
    catchUpPolicy: draft.catchUpPolicy,
    catchUpWindow: draft.catchUpWindow === "" ? null : draft.catchUpWindow,
    jitter: draft.jitter,
    exclusions: draft.exclusions,
  };
}

/** A pair is split at its first `=`; a key alone has no value. */
function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0 ? [pair.trim(), ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
}

export type DraftField =
  | "workflow"
  | "cron"
  | "date"
  | "timezone"
  | "exclusions"
  | "labels"
  | "params"
  | "catchUpWindow"
  | "jitter"
  | "name";

/** The field that a refusal of the service is about; undefined: it is about the whole. */
export function fieldOfRefusal(reason: string, message: string): DraftField | undefined {
  if (reason === "SCHEDULE_INVALID_CRON") return "cron";
  if (reason === "SCHEDULE_INVALID_RUNONCE") return "date";
  if (reason === "SCHEDULE_INVALID_REF") return "workflow";
  const words: readonly [RegExp, DraftField][] = [
    [/time ?zone/i, "timezone"],
    [/cronSchedule/, "cron"],
    [/dateSchedule/, "date"],
    [/exclusion/, "exclusions"],
    [/catchUpWindow/, "catchUpWindow"],
    [/jitter/, "jitter"],
    [/label/, "labels"],
    [/\bparam/i, "params"],
    [/\/name\b/, "name"],
  ];
  return words.find(([pattern]) => pattern.test(message))?.[1];
}

import type { CatchUpPolicy, OverlapPolicy, ScheduleInput, ScheduleType, WorkflowSchedule } from "@millrace/contract/schedule.ts";
import { t } from "../../texts/schedules.ts";
import type { Fault } from "../../ui/form/place-errors.ts";
import { localText } from "../../ui/time/zone-time.ts";
import { paramFaults } from "../parameter-form.tsx";
import { kindOf, type Param, type ParamValues, paramOfFault } from "../parameter-values.ts";

/** A schedule while it is being edited: everything that the form shows. */
export interface ScheduleDraft {
  id: string | undefined;
  workflow: string;
  name: string;
  description: string;
  type: ScheduleType;
  cron: string;
  /** `YYYY-MM-DDTHH:mm` in the zone `timezone`. */
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

/** The request body. Parameters that weren't filled in use the workflow's defaults; a secret left empty is kept. */
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

/** A pair is split at its first `=`; a key alone has an empty value. */
function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0 ? [pair.trim(), ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
}

/** Problems that can be found before anything is sent, by field. The service checks again, and more. @param params of its workflow */
export function scheduleFaults(draft: ScheduleDraft, params: readonly Param[]): Record<string, string> {
  // The stored secret of a schedule isn't shown, so an empty field doesn't mean it is missing.
  const asked =
    draft.id === undefined ? params : params.map((param) => (kindOf(param) === "password" ? { ...param, hiddenValue: true } : param));
  return {
    ...(draft.workflow === "" && { workflow: t("scheduleDraft.workflowMissing") }),
    ...(draft.type === "cron" && draft.cron.trim() === "" && { cron: t("scheduleDraft.cronMissing") }),
    ...(draft.type === "runOnce" && draft.date === "" && { date: t("scheduleDraft.dateMissing") }),
    ...paramFaults(asked, draft.params),
  };
}

/** The field that an error of the service is about; undefined: the whole schedule. @param params of its workflow */
export function fieldOfRefusal(fault: Fault, draft: ScheduleDraft, params: readonly Param[]): string | undefined {
  const { path, reason, message } = fault;
  if (reason === "SCHEDULE_INVALID_CRON") return "cron";
  if (reason === "SCHEDULE_INVALID_RUNONCE") return "date";
  if (reason === "SCHEDULE_INVALID_REF") return "workflow";
  const param = paramOfFault(fault, inputOf(draft).params ?? [], params);
  if (param !== undefined) return `params.${param}`;
  const words: readonly [RegExp, keyof ScheduleDraft][] = [
    [/time ?zone/i, "timezone"],
    [/workflowRef/, "workflow"],
    [/cronSchedule/, "cron"],
    [/dateSchedule/, "date"],
    [/exclusion/, "exclusions"],
    [/catchUpWindow/, "catchUpWindow"],
    [/jitter/, "jitter"],
    [/label/, "labels"],
    [/\bparam/i, "params"],
    [/\/name\b/, "name"],
  ];
  return words.find(([pattern]) => pattern.test(path) || pattern.test(message))?.[1];
}

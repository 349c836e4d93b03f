import type { EventFilter } from "../../api/queries/integrations.ts";
import { t } from "../../texts/integrations.ts";

/** The kinds of events and their statuses, with display texts (docs/outbound-events.md). */
export const eventKinds = [
  {
    kind: "workflowrun",
    name: t("eventChoice.runs"),
    statuses: [
      ["notstarted", t("eventChoice.wordSubmitted")],
      ["ready", t("eventChoice.wordReady")],
      ["running", t("eventChoice.wordRunning")],
      ["waiting", t("eventChoice.wordWaiting")],
      ["succeeded", t("eventChoice.wordSucceeded")],
      ["failed", t("eventChoice.wordFailed")],
      ["invalid", t("eventChoice.wordInvalid")],
      ["cancelled", t("eventChoice.wordCancelled")],
      ["timedout", t("eventChoice.timedOut")],
    ],
  },
  {
    kind: "taskrun",
    name: t("eventChoice.taskRuns"),
    statuses: [
      ["ready", t("eventChoice.wordReady")],
      ["running", t("eventChoice.wordRunning")],
      ["waiting", t("eventChoice.wordWaiting")],
      ["succeeded", t("eventChoice.wordSucceeded")],
      ["failed", t("eventChoice.wordFailed")],
      ["invalid", t("eventChoice.wordInvalid")],
      ["skipped", t("eventChoice.wordSkipped")],
      ["cancelled", t("eventChoice.wordCancelled")],
      ["timedout", t("eventChoice.timedOut")],
    ],
  },
  {
    kind: "action",
    name: t("eventChoice.approvalsManualTasks"),
    statuses: [
      ["submitted", t("eventChoice.wordOpened")],
      ["reminder", t("eventChoice.stillOpen")],
      ["escalated", t("eventChoice.escalated")],
      ["commented", t("eventChoice.commented")],
      ["delegated", t("eventChoice.delegated")],
      ["approved", t("eventChoice.wordApproved")],
      ["rejected", t("eventChoice.wordRejected")],
      ["cancelled", t("eventChoice.wordCancelled")],
    ],
  },
  {
    kind: "schedule",
    name: t("eventChoice.schedules"),
    statuses: [
      ["active", t("eventChoice.wordActive")],
      ["inactive", t("eventChoice.wordPaused")],
      ["trigger_disabled", t("eventChoice.triggerOff")],
      ["error", t("eventChoice.wordError")],
      ["completed", t("eventChoice.wordCompleted")],
      ["archived", t("eventChoice.wordArchived")],
    ],
  },
  {
    kind: "alert",
    name: t("eventChoice.alerts"),
    statuses: [
      ["run_late", t("eventChoice.lateRun")],
      ["queue_late", t("eventChoice.lateQueue")],
      ["queue_recovered", t("eventChoice.recoveredQueue")],
      ["schedule_missed", t("eventChoice.missedSchedule")],
      ["schedule_skipped", t("eventChoice.skippedSchedule")],
    ],
  },
] as const;

/** Common selections, each available as one button. */
export const eventPresets: readonly { name: string; events: readonly string[] }[] = [
  { name: t("eventChoice.failedRuns"), events: ["workflowrun.failed", "workflowrun.timedout", "workflowrun.invalid"] },
  {
    name: t("eventChoice.finishedRuns"),
    events: ["succeeded", "failed", "invalid", "cancelled", "timedout"].map((status) => `workflowrun.${status}`),
  },
  { name: t("eventChoice.waitingApprovals"), events: ["action.submitted", "action.reminder", "action.escalated"] },
  { name: t("eventChoice.stoppedSchedules"), events: ["schedule.error"] },
  {
    name: t("eventChoice.alerts"),
    events: ["run_late", "queue_late", "queue_recovered", "schedule_missed"].map((status) => `alert.${status}`),
  },
];

/** The selected events, as the form holds them. An empty selection means all events. */
export interface EventChoice {
  /** `workflowrun.failed`, or `workflowrun.` for all events of that kind. */
  events: readonly string[];
  /** Names of workflows; empty: all workflows. */
  workflows: readonly string[];
}

const prefix = "dev.millrace.";

export function toFilters({ events, workflows }: EventChoice): EventFilter[] {
  const ofType = events.map(
    (event): EventFilter => (event.endsWith(".") ? { prefix: { type: prefix + event } } : { exact: { type: prefix + event } }),
  );
  const ofWorkflow = workflows.map((workflow): EventFilter => ({ exact: { workflow } }));
  return [...oneOf(ofType), ...oneOf(ofWorkflow)];
}

/** Undefined if the filters can't be shown by the form. */
export function fromFilters(filters: readonly EventFilter[]): EventChoice | undefined {
  const choice = { events: [] as string[], workflows: [] as string[] };
  for (const filter of filters) {
    const parts = filter.any ?? [filter];
    const events = parts.map(eventOf);
    const workflows = parts.map(workflowOf);
    if (events.every((event) => event !== undefined) && choice.events.length === 0) choice.events = events as string[];
    else if (workflows.every((workflow) => workflow !== undefined) && choice.workflows.length === 0)
      choice.workflows = workflows as string[];
    else return undefined;
  }
  return choice;
}

/** The selection in words, for a list. */
export function choiceText({ events, workflows }: EventChoice): string {
  const byKind = eventKinds.flatMap(({ kind, name, statuses }) => {
    if (events.includes(`${kind}.`)) return [t("eventChoice.allOfKind", { name })];
    const words = statuses.filter(([status]) => events.includes(`${kind}.${status}`)).map(([, word]) => word);
    return words.length === 0 ? [] : [`${name}: ${words.join(", ")}`];
  });
  const what = byKind.length === 0 ? t("eventChoice.allEvents") : byKind.join(" · ");
  return workflows.length === 0 ? what : t("eventChoice.ofWorkflows", { what, workflows: workflows.join(", ") });
}

function oneOf(filters: readonly EventFilter[]): EventFilter[] {
  if (filters.length === 0) return [];
  return filters.length === 1 ? [...filters] : [{ any: [...filters] }];
}

function only(filter: EventFilter, dialect: "exact" | "prefix", attribute: string): string | undefined {
  const members = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  const texts = filter[dialect];
  if (members.length !== 1 || texts === null || texts === undefined || Object.keys(texts).length !== 1) return undefined;
  return texts[attribute];
}

const known = new Set(eventKinds.flatMap(({ kind, statuses }) => [`${kind}.`, ...statuses.map(([status]) => `${kind}.${status}`)]));

function eventOf(filter: EventFilter): string | undefined {
  const type = only(filter, "exact", "type") ?? only(filter, "prefix", "type");
  const event = type?.startsWith(prefix) ? type.slice(prefix.length) : undefined;
  if (event === undefined || !known.has(event)) return undefined;
  return event.endsWith(".") === (only(filter, "prefix", "type") !== undefined) ? event : undefined;
}

function workflowOf(filter: EventFilter): string | undefined {
  return only(filter, "exact", "workflow");
}

/** An event in words: "Runs: failed · welcome". @param event a CloudEvent */
export function eventWords(event: Readonly<Record<string, unknown>>): string {
  const type = typeof event["type"] === "string" ? event["type"].replace("dev.millrace.", "") : "";
  if (type === "subscription.test") return t("eventWords.testEvent");
  const [kind = "", status = ""] = type.split(".");
  const known = eventKinds.find((one) => one.kind === kind);
  const word = known?.statuses.find(([one]) => one === status)?.[1] ?? status;
  const of = typeof event["workflow"] === "string" ? ` · ${event["workflow"]}` : "";
  return `${known?.name ?? kind}: ${word}${of}`;
}

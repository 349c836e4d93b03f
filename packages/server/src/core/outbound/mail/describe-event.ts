import { alertHeadline } from "../../alert/alert-words.ts";
import type { OutboundEvent } from "../outbound-event.ts";

/** The texts of an email about an event. Everything in it may be unescaped text from users. */
export interface EventWords {
  headline: string;
  facts: readonly (readonly [label: string, value: string])[];
  /** What people should do, in the words of the workflow. */
  instructions: string | undefined;
  link: string | undefined;
}

export function describeEvent(event: OutboundEvent): EventWords {
  const { data } = event;
  const facts = factsOf(event).flatMap(([label, value]): [string, string][] => (value === undefined ? [] : [[label, value]]));
  return { headline: headlineOf(event), facts, instructions: messageOf(event), link: textOf(data.link) };
}

/** For a comment its text; otherwise the message of the workflow. */
function messageOf({ type, data }: OutboundEvent): string | undefined {
  return textOf(type.endsWith(".action.commented") ? data.comments : data.instructions);
}

const runWords: Readonly<Record<string, string>> = {
  notstarted: "was submitted",
  ready: "was submitted",
  running: "is running",
  waiting: "waits",
  succeeded: "succeeded",
  failed: "failed",
  invalid: "is invalid",
  skipped: "was skipped",
  cancelled: "was cancelled",
  timedout: "timed out",
};

function headlineOf({ type, data, workflow }: OutboundEvent): string {
  const [kind = "", status = ""] = type.split(".").slice(-2);
  const name = textOf(data.workflowDisplayName) ?? workflow ?? textOf(data.workflowName) ?? "a workflow";
  switch (kind) {
    case "workflowrun":
      return `${name} ${runWords[status] ?? status}`;
    case "taskrun":
      return `${name}: task ${textOf(data.name) ?? ""} ${runWords[status] ?? status}`;
    case "action":
      return actionHeadline(name, status, data);
    case "schedule":
      return `${name}: schedule ${textOf(data.name) ?? ""} is ${status}`;
    case "alert":
      return alertHeadline(status, data, name);
    default:
      return status === "test" ? "This is a test" : type;
  }
}

function actionHeadline(name: string, status: string, data: OutboundEvent["data"]): string {
  const task = textOf(data.title) ?? textOf(data.taskName) ?? "";
  const waits = data.type === "manual" ? `${name} is waiting for a manual task: ${task}` : `${name} is waiting for an approval: ${task}`;
  const by = textOf(data.by) ?? "A token";
  switch (status) {
    case "submitted":
      return waits;
    case "reminder":
      return `Reminder: ${waits}`;
    case "escalated":
      return `Escalated to ${textOf(data.escalateToName) ?? "another group"}: ${waits}`;
    case "commented":
      return `${by} commented on ${task} of ${name}`;
    case "delegated":
      return `${by} delegated a vote to ${textOf(data.delegatedTo) ?? "you"}: ${waits}`;
    default:
      return `${name}: ${task} was ${status}`;
  }
}

function factsOf({ type, data, team, workflow, time }: OutboundEvent): [label: string, value: string | undefined][] {
  const isOfSchedule = /\.schedule[._]/.test(type);
  return [
    ["Team", team],
    ["Workflow", workflow ?? textOf(data.workflowName)],
    ["Task", textOf(data.taskName)],
    ["Comment", type.endsWith(".action.delegated") ? textOf(data.comments) : undefined],
    ["Status", textOf(data.status)],
    ["Reason", textOf(data.statusMessage) ?? textOf(data.reason) ?? (isOfSchedule ? textOf(data.message) : undefined)],
    ["Started by", textOf(data.trigger)],
    ["Approvals", approvalsOf(data)],
    ["Decide before", timeOf(data.deadline)],
    ["Was due", timeOf(data.dueDate)],
    ["Scheduled for", timeOf(data.scheduledDate)],
    ["Waiting since", timeOf(data.waitingSince)],
    [
      "Run",
      textOf(data.workflowRunRef) ??
        (data.workflowRef === undefined || isOfSchedule || data.type === "publish" ? undefined : textOf(data.id)),
    ],
    ["At", timeOf(time)],
  ];
}

function approvalsOf({ approvalsRequired, numberOfApprovals, type }: Readonly<Record<string, unknown>>): string | undefined {
  if ((type !== "approval" && type !== "publish") || typeof approvalsRequired !== "number") return undefined;
  return `${typeof numberOfApprovals === "number" ? numberOfApprovals : 0} of ${approvalsRequired}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** `2026-01-02 03:04 UTC`: the reader of an email has a time zone that we don't know. */
function timeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z$/.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : text;
}

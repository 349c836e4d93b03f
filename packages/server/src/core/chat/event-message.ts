import { alertHeadline } from "../alert/alert-words.ts";
import type { OutboundEvent } from "../outbound/outbound-event.ts";
import { actionPage } from "../outbound/page-links.ts";
import { type ActionMessage, buildActionMessage, type ChatMessage } from "./action-message.ts";
import { escapeChatText, runLink } from "./chat-text.ts";

/** The parts of an action that may have changed since its event, or that the event does not contain. */
export type ActionState = Pick<ActionMessage, "status" | "votes" | "links" | "fields" | "notes" | "escalatedTo"> & {
  attachments: readonly { label: string; taskRunId: string | null }[];
};

/** The message about an event. @param action its current state; it may have been decided since the event */
export function buildEventMessage(event: OutboundEvent, action: ActionState | undefined): ChatMessage {
  const { data } = event;
  const kind = event.subject.split("/")[1];
  if (kind === "action") return buildActionMessage(actionOf(event, action));
  const title = titles[kind ?? ""]?.(event) ?? `${escapeChatText(event.type, 200)}`;
  const message = textOf(data["statusMessage"]) || (isOfScheduleAlert(event) ? textOf(data["message"]) : "");
  const lines = [`*${title}*`, ...locationLines(event, kind), ...(message ? [escapeChatText(message, 1500)] : [])];
  return { text: title, blocks: [{ type: "section", text: { type: "mrkdwn", text: lines.join("\n"), verbatim: true } }] };
}

const titles: Readonly<Record<string, (event: OutboundEvent) => string>> = {
  workflowrun: (event) => `Run of ${nameOf(event)}: ${statusOf(event)}`,
  taskrun: (event) => `Task ${escapeChatText(textOf(event.data["name"]), 200)} of ${nameOf(event)}: ${statusOf(event)}`,
  schedule: (event) => `Schedule ${escapeChatText(textOf(event.data["name"]), 200)} of ${nameOf(event)}: ${statusOf(event)}`,
  alert: (event) => escapeChatText(alertHeadline(event.type.split(".").at(-1) ?? "", event.data, event.workflow ?? "a workflow"), 500),
  subscription: () => "A test: messages of this subscription arrive here",
};

function locationLines(event: OutboundEvent, kind: string | undefined): string[] {
  const team = event.team === undefined ? [] : [`Team ${escapeChatText(event.team, 200)}`];
  const run = kind === "workflowrun" || event.type.endsWith(".alert.run_late") ? event.data["id"] : event.data["workflowRunRef"];
  if (typeof run !== "string" || event.team === undefined) return team;
  return [`Run ${runLink(publicUrlOf(event), event.team, run)} of team ${escapeChatText(event.team, 200)}`];
}

/** For all other alerts, the headline is already the message. */
function isOfScheduleAlert({ type }: OutboundEvent): boolean {
  return type.includes(".alert.schedule_");
}

function actionOf(event: OutboundEvent, now: ActionState | undefined): ActionMessage {
  const { data, team = "" } = event;
  return {
    id: textOf(data["id"]),
    type: textOf(data["type"]),
    status: now?.status ?? textOf(data["status"]),
    title: textOf(data["title"]) || null,
    taskName: textOf(data["taskName"]),
    workflowName: event.workflow ?? "",
    teamName: team,
    instructions: textOf(data["instructions"]) || null,
    approvalsRequired: Number(data["approvalsRequired"]) || 1,
    deadline: textOf(data["deadline"]) || null,
    runLink: runLink(publicUrlOf(event), team, textOf(data["workflowRunRef"])),
    page: actionPage(publicUrlOf(event), team, textOf(data["id"])),
    votes: now?.votes ?? [],
    links: now?.links ?? [],
    fields: now?.fields ?? [],
    attachments: (now?.attachments ?? []).map(({ label }) => label),
    notes: now?.notes ?? [],
    escalatedTo: now?.escalatedTo ?? null,
  };
}

/** The address of the instance, with which the event's own link begins. */
function publicUrlOf({ data }: OutboundEvent): string {
  return textOf(data["link"]).split("/api/v2/", 1)[0]!;
}

function nameOf(event: OutboundEvent): string {
  return escapeChatText(event.workflow ?? "a workflow", 200);
}

function statusOf(event: OutboundEvent): string {
  return escapeChatText(textOf(event.data["status"]), 50);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

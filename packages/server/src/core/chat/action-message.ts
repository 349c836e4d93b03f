import { markdownAsChat } from "../outbound/message-markdown.ts";
import { escapeChatText } from "./chat-text.ts";

/**
 * The message that asks people to decide an action. Its buttons only identify the action: the permissions of the person who presses one are
 * checked at that moment.
 */
export const approveButton = "approve-action";
export const rejectButton = "reject-action";
/** The input for a comment: ids of its block and of its action. */
export const commentInput = "comment";

export interface ActionMessage {
  id: string;
  type: string;
  status: string;
  /** Null: the name of the task is used. */
  title: string | null;
  taskName: string;
  workflowName: string;
  teamName: string;
  instructions: string | null;
  approvalsRequired: number;
  deadline: string | null;
  /** Already in the platform's markup. */
  runLink: string;
  /** The page that shows all of it, and where it can be decided. */
  page: string;
  votes: readonly { name: string; approved: boolean; comments: string | null }[];
  links: readonly { label: string; url: string }[];
  /** Labels of the fields to fill in; if there are any, approving opens a dialog. */
  fields: readonly string[];
  /** Texts are shown on the page of the action, logs on the page of the run. */
  attachments: readonly string[];
  /** Comments and delegations, the oldest first. */
  notes: readonly { name: string; delegatedTo: string | null; comments: string | null }[];
  /** The group that can also decide by now. */
  escalatedTo: string | null;
}

export interface ChatMessage {
  /** Shown in notifications, and by programs that don't support blocks. */
  text: string;
  blocks: Record<string, unknown>[];
}

const maxVotesShown = 10;
const maxNotesShown = 5;
const maxLinksShown = 10;
const maxNamesShown = 20;

/** With buttons while the action is open; afterwards with the people who decided it. */
export function buildActionMessage(action: ActionMessage): ChatMessage {
  const isOpen = action.status === "submitted";
  const title = titleOf(action, isOpen);
  const lines = [
    `*${title}*`,
    `Run ${action.runLink} of team ${escapeChatText(action.teamName, 200)}`,
    ...(action.instructions ? [markdownAsChat(action.instructions, 1500)] : []),
    ...action.links.slice(0, maxLinksShown).map(linkLine),
    ...(isOpen ? askedLines(action) : []),
    ...(isOpen && action.approvalsRequired > 1 ? [`Approvals needed: ${action.approvalsRequired}`] : []),
    ...(isOpen && action.escalatedTo ? [`Escalated to ${escapeChatText(action.escalatedTo, 80)}`] : []),
    ...(isOpen && action.deadline ? [`Until ${action.deadline}`] : []),
  ];
  const votes = [...action.notes.slice(-maxNotesShown).map(noteLine), ...action.votes.slice(0, maxVotesShown).map(voteLine)];
  return {
    text: title,
    blocks: [
      section(lines.join("\n")),
      ...(votes.length > 0 ? [section(votes.join("\n"))] : []),
      ...(isOpen ? decisionBlocks(action) : []),
    ],
  };
}

/** What else there is to read and to fill in, and where. */
function askedLines({ fields, attachments, page }: ActionMessage): string[] {
  const names = (list: readonly string[]) =>
    list
      .slice(0, maxNamesShown)
      .map((name) => escapeChatText(name, 100))
      .join(", ");
  return [
    ...(fields.length > 0 ? [`To fill in: ${names(fields)}`] : []),
    ...(attachments.length > 0 ? [`Attached: ${names(attachments)}`] : []),
    `<${chatUrl(page)}|Open the request>`,
  ];
}

/** With its whole address, as in the message of the workflow: its label could be an address of ours, or of someone else. */
function linkLine({ label, url }: ActionMessage["links"][number]): string {
  return label === url ? `<${chatUrl(url)}>` : `${escapeChatText(label, 200)}: <${chatUrl(url)}>`;
}

/** Escapes the characters that end a link in the markup. */
function chatUrl(url: string): string {
  return escapeChatText(url, 2500).replaceAll("|", "%7C");
}

function noteLine({ name, delegatedTo, comments }: ActionMessage["notes"][number]): string {
  const said = comments ? `: ${escapeChatText(comments, 300)}` : "";
  if (delegatedTo === null) return `Comment by ${escapeChatText(name, 80)}${said}`;
  return `${escapeChatText(name, 80)} delegated to ${escapeChatText(delegatedTo, 80)}${said}`;
}

function titleOf({ title, taskName, workflowName, status, type }: ActionMessage, isOpen: boolean): string {
  const what = `${escapeChatText(title ?? taskName, 200)} of ${escapeChatText(workflowName, 200)}`;
  if (isOpen) return type === "manual" ? `${what} waits to be done` : `${what} waits for approval`;
  return `${what}: ${status}`;
}

function voteLine({ name, approved, comments }: ActionMessage["votes"][number]): string {
  const said = comments ? `: ${escapeChatText(comments, 100)}` : "";
  return `${approved ? "Approved" : "Rejected"} by ${escapeChatText(name, 80)}${said}`;
}

function decisionBlocks({ id, fields }: ActionMessage): Record<string, unknown>[] {
  return [
    {
      type: "input",
      block_id: commentInput,
      optional: true,
      label: plain("Comment"),
      element: { type: "plain_text_input", action_id: commentInput, max_length: 2000 },
    },
    {
      type: "actions",
      block_id: "decision",
      elements: [
        button(approveButton, fields.length > 0 ? "Fill in and approve" : "Approve", "primary", id),
        button(rejectButton, "Reject", "danger", id),
      ],
    },
  ];
}

function button(action: string, text: string, style: string, value: string) {
  return { type: "button", action_id: action, text: plain(text), style, value };
}

function section(text: string) {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function plain(text: string) {
  return { type: "plain_text", text, emoji: false };
}

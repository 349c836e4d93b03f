import type { AbstractParam } from "@millrace/contract/common.ts";
import { markdownAsChat } from "../outbound/message-markdown.ts";
import { clipChatText, escapeChatText } from "./chat-text.ts";
import { inputBlock } from "./run-dialog.ts";

/**
 * The dialog for filling in the fields of an action and approving it. The ids of its inputs are the names of the fields, as in the dialog
 * that starts a run (run-dialog.ts).
 */
export const decisionDialogId = "approve-action";
/** Not a valid field name, so it can't collide. */
const commentBlock = "millrace.comment";
const commentAction = "value";

interface DecidedAction {
  id: string;
  title: string;
  instructions: string | null;
  isManual: boolean;
  fields: readonly AbstractParam[];
}

/** The message with the button: it is updated once the vote is cast. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

export function buildDecisionDialog(
  { id, title, instructions, isManual, fields }: DecidedAction,
  place: MessagePlace,
): Record<string, unknown> {
  const verb = isManual ? "Mark as done" : "Approve";
  const lines = [`*${escapeChatText(title, 500)}*`, ...(instructions ? [markdownAsChat(instructions, 2000)] : [])];
  return {
    type: "modal",
    callback_id: decisionDialogId,
    private_metadata: JSON.stringify({ id, ...place }),
    title: plain(verb),
    submit: plain(verb),
    close: plain("Cancel"),
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: lines.join("\n"), verbatim: true } },
      ...fields.map(inputBlock),
      {
        type: "input",
        block_id: commentBlock,
        optional: true,
        label: plain("Comment"),
        element: { type: "plain_text_input", action_id: commentAction, multiline: true, max_length: 2000 },
      },
    ],
  };
}

function plain(text: string) {
  return { type: "plain_text", text: clipChatText(text, 2000), emoji: false };
}

/** What the dialog was opened for; empty texts if the dialog is not from us. */
export function readDecisionPlace(metadata: string): MessagePlace & { id: string } {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  try {
    const { id, channel, ts } = JSON.parse(metadata) as Record<string, unknown>;
    return { id: text(id), channel: text(channel), ts: text(ts) };
  } catch {
    return { id: "", channel: "", ts: "" };
  }
}

/** The comment in the dialog's values. */
export function readDecisionComment(values: Readonly<Record<string, unknown>>): string {
  const block = (values[commentBlock] ?? {}) as Record<string, { value?: unknown } | undefined>;
  const { value } = block[commentAction] ?? {};
  return typeof value === "string" ? value : "";
}

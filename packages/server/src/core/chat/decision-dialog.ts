import type { AbstractParam } from "@millrace/contract/common.ts";
import { clipChatText, escapeChatText } from "./chat-text.ts";
import { inputBlock } from "./run-dialog.ts";

/**
 * The dialog in which someone fills in the fields of an action and approves it. Its inputs have the names of the fields as ids, as those of
 * the dialog that starts a run (run-dialog.ts).
 */
export const decisionDialogId = "approve-action";
/** No field can have this name. */
const commentBlock = "millrace.comment";
const commentAction = "value";

interface DecidedAction {
  id: string;
  title: string;
  instructions: string | null;
  isManual: boolean;
  fields: readonly AbstractParam[];
}

/** Where the message is that has the button: it is changed once the vote is cast. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

export function buildDecisionDialog(
  { id, title, instructions, isManual, fields }: DecidedAction,
  place: MessagePlace,
): Record<string, unknown> {
  const verb = isManual ? "Mark as done" : "Approve";
  const lines = [`*${escapeChatText(title, 500)}*`, ...(instructions ? [escapeChatText(instructions, 2000)] : [])];
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

/** What the dialog was opened for; empty texts where it is not of our making. */
export function readDecisionPlace(metadata: string): MessagePlace & { id: string } {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  try {
    const { id, channel, ts } = JSON.parse(metadata) as Record<string, unknown>;
    return { id: text(id), channel: text(channel), ts: text(ts) };
  } catch {
    return { id: "", channel: "", ts: "" };
  }
}

/** The comment as it stands in the dialog's values. */
export function readDecisionComment(values: Readonly<Record<string, unknown>>): string {
  const block = (values[commentBlock] ?? {}) as Record<string, { value?: unknown } | undefined>;
  const { value } = block[commentAction] ?? {};
  return typeof value === "string" ? value : "";
}

import { isEmail } from "../../base/text/email.ts";
import type { ActionState } from "../chat/event-message.ts";

/** The stored target of a subscription of the channel `chat`: one chat channel, or some people. */
export interface ChatTargetDocument {
  /** The platform's id of the workspace. */
  workspace: string;
  /** The platform's id of a channel that the app has joined. */
  channel?: string;
  /** Email addresses of people in the workspace, each of whom gets a direct message. */
  emails?: string[];
}

/** A message posted by an earlier attempt, or for an earlier event of the same action. */
export interface ChatPost {
  /** Which receiver: 0 for the channel, otherwise the index of the address. */
  receiver: number;
  channel: string;
  ts: string;
}

/** Everything that sending needs. */
export interface ChatTarget {
  access: { apiUrl: string; token: string };
  channel: string | undefined;
  emails: readonly string[];
  /** Messages from earlier attempts of this delivery, which must not be posted again. */
  posted: readonly ChatPost[];
  /** Messages from earlier deliveries about the same action, which are updated instead of posting new ones. */
  standing: readonly ChatPost[];
  /** The current state of the action that the event is about. */
  action: ActionState | undefined;
}

const maxEmails = 10;
const known = ["workspace", "channel", "emails"];

/** What is wrong with a target, in words that follow `target`; undefined: nothing. */
export function chatTargetFault(target: Readonly<Record<string, unknown>>): string | undefined {
  const { workspace, channel, emails } = target;
  const other = Object.keys(target).find((name) => !known.includes(name));
  if (other !== undefined) return `has no member ${other.slice(0, 50)}; it has ${known.join(", ")}`;
  if (typeof workspace !== "string" || !/^\w{1,100}$/.test(workspace))
    return "needs `workspace`, the platform's id of one, such as T0HAWKS";
  if ((channel === undefined) === (emails === undefined)) return "needs either `channel` or `emails`";
  if (channel !== undefined) {
    return typeof channel === "string" && /^\w{1,100}$/.test(channel)
      ? undefined
      : "needs in `channel` the platform's id of one, such as C0RELEASES";
  }
  const isList = Array.isArray(emails) && emails.length > 0 && emails.length <= maxEmails && new Set(emails).size === emails.length;
  const isRight = isList && emails.every((email) => typeof email === "string" && isEmail(email));
  return isRight ? undefined : `needs in \`emails\` a list of 1 to ${maxEmails} different email addresses`;
}

/** The posts as they are stored in the response of a delivery, which has room for 1 KiB. */
export function writeChatPosts(posts: readonly ChatPost[]): string {
  return JSON.stringify(posts.map(({ receiver, channel, ts }) => [receiver, channel, ts]));
}

/** Empty if the text is not a list of posts. */
export function readChatPosts(answer: string | null): ChatPost[] {
  try {
    const rows = JSON.parse(answer ?? "[]") as [number, string, string][];
    return rows.map(([receiver, channel, ts]) => ({ receiver, channel, ts }));
  } catch {
    return [];
  }
}

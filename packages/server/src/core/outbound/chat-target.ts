import { isEmail } from "../../base/text/email.ts";
import type { ActionState } from "../chat/event-message.ts";

/** To whom a subscription of the channel `chat` goes, as it is kept: one channel, or some people. */
export interface ChatTargetDocument {
  /** The platform's id of the workspace. */
  workspace: string;
  /** The platform's id of a channel that the app is in. */
  channel?: string;
  /** Addresses of people in the workspace, each of whom gets it as a direct message. */
  emails?: string[];
}

/** A message that an earlier attempt, or an earlier event of the same action, has posted. */
export interface ChatPost {
  /** Which of the receivers: 0 for the channel, the index of the address otherwise. */
  receiver: number;
  channel: string;
  ts: string;
}

/** All that sending needs. */
export interface ChatTarget {
  access: { apiUrl: string; token: string };
  channel: string | undefined;
  emails: readonly string[];
  /** By earlier attempts of this delivery: not to be posted again. */
  posted: readonly ChatPost[];
  /** By earlier deliveries about the same action: to be brought up to date instead of posting again. */
  standing: readonly ChatPost[];
  /** How the action that the event is about stands now. */
  action: ActionState | undefined;
}

const maxEmails = 10;
const known = ["workspace", "channel", "emails"];

/** What is wrong with a target that someone has written, in words that follow `target`; undefined: nothing. */
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

/** The posts as they are kept in the answer of a delivery, which has room for 1 KiB. */
export function writeChatPosts(posts: readonly ChatPost[]): string {
  return JSON.stringify(posts.map(({ receiver, channel, ts }) => [receiver, channel, ts]));
}

/** Empty for what is not a list of posts. */
export function readChatPosts(answer: string | null): ChatPost[] {
  try {
    const rows = JSON.parse(answer ?? "[]") as [number, string, string][];
    return rows.map(([receiver, channel, ts]) => ({ receiver, channel, ts }));
  } catch {
    return [];
  }
}

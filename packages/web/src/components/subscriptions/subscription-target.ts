import type { Subscription } from "../../api/queries/integrations.ts";
import { t } from "../../texts/integrations.ts";
import type { EventChoice } from "./event-choice.ts";

export type Channel = Subscription["channel"];

/** The target as the form holds it: the members of all channels at once, so that switching the channel loses nothing. */
export interface TargetDraft {
  url: string;
  to: string[];
  people: string[];
  workspace: string;
  channel: string;
  emails: string[];
}

/** The values of the subscription form. */
export interface SubscriptionValues {
  name: string;
  channel: Channel;
  target: TargetDraft;
  choice: EventChoice;
  /** Whether the filters are too complex for the selection: they are then edited as text, in their own form. */
  isText: boolean;
  filters: string;
  secret: string;
}

export const channelWords: Readonly<Record<Channel, string>> = {
  webhook: t("subscriptionTarget.channelWebhook"),
  email: t("subscriptionTarget.channelEmail"),
  chat: t("subscriptionTarget.channelChat"),
};

export const peopleChoices = [
  ["owners", t("subscriptionTarget.teamOwners")],
  ["editors", t("subscriptionTarget.teamEditors")],
  ["readers", t("subscriptionTarget.teamReaders")],
  ["approvers", t("subscriptionTarget.everyoneWhoStillApprove")],
  ["initiator", t("subscriptionTarget.whoStartedRun")],
] as const;

export function toDraft(target: Readonly<Record<string, unknown>> = {}): TargetDraft {
  const text = (member: string) => (typeof target[member] === "string" ? (target[member] as string) : "");
  const list = (member: string) => (Array.isArray(target[member]) ? (target[member] as string[]) : []);
  return {
    url: text("url"),
    to: list("to"),
    people: list("people"),
    workspace: text("workspace"),
    channel: text("channel"),
    emails: list("emails"),
  };
}

/** The target to send: only the members of the selected channel that have a value. */
export function toTarget(channel: Channel, draft: TargetDraft): Record<string, unknown> {
  if (channel === "webhook") return { url: draft.url.trim() };
  if (channel === "email")
    return { ...(draft.to.length > 0 && { to: draft.to }), ...(draft.people.length > 0 && { people: draft.people }) };
  const to = draft.channel.trim() === "" ? { emails: draft.emails } : { channel: draft.channel.trim() };
  return { workspace: draft.workspace.trim(), ...to };
}

/** The target in one line, for a list. */
export function targetText(channel: Channel, target: Readonly<Record<string, unknown>>): string {
  const { url, to, people, workspace, channel: room, emails } = toDraft(target);
  if (channel === "webhook") return url;
  if (channel === "email") return [...to, ...people].join(", ");
  return `${workspace}: ${room || emails.join(", ")}`;
}

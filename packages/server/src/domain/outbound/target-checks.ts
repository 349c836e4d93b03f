import type { SubscriptionChannel, SubscriptionTarget } from "@millrace/contract/subscription.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { emailTargetFaults } from "../../core/outbound/email-target-faults.ts";
import { webhookUrlFault } from "../../core/outbound/webhook-fault.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readMailDomains } from "../settings/mail-settings.ts";
import { checkChatTarget } from "./check-chat-target.ts";

/** @param teamId null: a subscription of the instance */
export type TargetCheck = (db: Queryable, teamId: string | null, target: SubscriptionTarget) => Promise<ErrorDetail[]>;

/** What is wrong with whom a subscription is for; one line for each channel. A channel that is not here can't be subscribed to. */
export const targetChecks: Partial<Record<SubscriptionChannel, TargetCheck>> = {
  webhook: async (_db, _teamId, target) => {
    const fault = webhookUrlFault(target.url);
    return [...(fault ? [{ path: "/target/url", message: fault }] : []), ...unknownMembers(target, ["url"])];
  },
  email: async (db, _teamId, target) => [
    ...emailTargetFaults(target, await readMailDomains(db), "/target"),
    ...unknownMembers(target, ["to", "people"]),
  ],
  chat: checkChatTarget,
};

/** A misspelt member would be lost without a word. */
function unknownMembers(target: SubscriptionTarget, known: readonly string[]): ErrorDetail[] {
  const unknown = Object.keys(target).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `/target/${name.slice(0, 100)}`, message: `is unknown here; known: ${known.join(", ")}` }));
}

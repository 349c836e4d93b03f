import type { SubscriptionChannel, SubscriptionTarget } from "@millrace/contract/subscription.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { chatTargetFault } from "../../core/outbound/chat-target.ts";
import { emailTargetFaults } from "../../core/outbound/email-target.ts";
import { webhookUrlFault } from "../../core/outbound/webhook-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findChatWorkspace, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import { readMailDomains } from "../settings/mail-settings.ts";

/** What is wrong with whom messages of the chat are for. A team reaches the workspaces that it is linked to, the instance all. */
async function checkChatTarget(db: Queryable, teamId: string | null, target: Readonly<Record<string, unknown>>): Promise<ErrorDetail[]> {
  const fault = chatTargetFault(target);
  if (fault !== undefined) return [{ path: "/target", message: fault }];
  const workspace = await findChatWorkspace(db, String(target["workspace"]));
  const linked = workspace === undefined ? [] : await listTeamsOfChatWorkspace(db, workspace.id);
  if (workspace !== undefined && (teamId === null || linked.some(({ id }) => id === teamId))) return [];
  const remedy = teamId === null ? "/api/v2/integration/chat/workspace lists them" : "link it by POST /api/v2/integration/chat/link";
  return [{ path: "/target/workspace", message: `is not a workspace that can be reached from here; ${remedy}` }];
}

/** @param teamId null: a subscription of the instance */
type TargetCheck = (db: Queryable, teamId: string | null, target: SubscriptionTarget) => Promise<ErrorDetail[]>;

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

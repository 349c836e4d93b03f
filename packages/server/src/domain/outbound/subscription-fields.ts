import {
  type SubscriptionChannel,
  type SubscriptionInput,
  type SubscriptionTarget,
  subscriptionChannels,
} from "@millrace/contract/outbound/subscription.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { filterFaults } from "../../core/event-filters/filter-faults.ts";
import { chatTargetFault } from "../../core/outbound/chat-target.ts";
import { emailTargetFaults } from "../../core/outbound/email-target.ts";
import { notificationFilter, wantedKinds } from "../../core/outbound/wanted-kinds.ts";
import { webhookUrlFault } from "../../core/outbound/webhook-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findChatWorkspace, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import type { SubscriptionFields } from "../../store/outbound/subscriptions.ts";
import { readMailDomains } from "../settings/mail-settings.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";

/**
 * @param before the values of members that the body doesn't have; undefined for a new one, which begins with the defaults
 * @throws VALIDATION_FAILED
 */
export async function readSubscriptionFields(
  db: Queryable,
  teamId: string | null,
  body: SubscriptionInput,
  before?: Partial<SubscriptionFields>,
): Promise<SubscriptionFields> {
  const channel = before?.channel ?? body.channel ?? "webhook";
  const words = body.notify?.length ? [notificationFilter(body.notify)] : [];
  const filters = [...(body.filters ?? (words.length > 0 ? [] : (before?.filters ?? []))), ...words];
  const name = body.name?.trim() ?? before?.name ?? "";
  const target = body.target ?? before?.target;
  const faults: ErrorDetail[] = [
    ...(name === "" ? [{ path: "/name", message: "is missing" }] : []),
    ...filterFaults(filters, "/filters"),
    ...(await targetFaults(db, teamId, channel, target)),
  ];
  refuseFaults(faults);
  return { name, channel, isActive: body.isActive ?? before?.isActive ?? true, filters, kinds: wantedKinds(filters), target: target ?? {} };
}

async function targetFaults(
  db: Queryable,
  teamId: string | null,
  channel: SubscriptionFields["channel"],
  target: SubscriptionFields["target"] | undefined,
): Promise<ErrorDetail[]> {
  const check = targetChecks[channel];
  if (!check) {
    const known = subscriptionChannels.filter((one) => targetChecks[one] !== undefined);
    return [{ path: "/channel", message: `${channel} is not possible here; possible: ${known.join(", ")}` }];
  }
  return target === undefined ? [{ path: "/target", message: "is missing" }] : check(db, teamId, target);
}

/** What is wrong with the receivers of chat messages. A team can use the workspaces that it is linked to, the instance all. */
async function checkChatTarget(db: Queryable, teamId: string | null, target: Readonly<Record<string, unknown>>): Promise<ErrorDetail[]> {
  const fault = chatTargetFault(target);
  if (fault !== undefined) return [{ path: "/target", message: fault }];
  const workspace = await findChatWorkspace(db, String(target["workspace"]));
  const linked = workspace === undefined ? [] : await listTeamsOfChatWorkspace(db, workspace.id);
  if (workspace !== undefined && (teamId === null || linked.some(({ id }) => id === teamId))) return [];
  const remedy = teamId === null ? "/api/v2/integration/chat/workspace lists them" : "link it with POST /api/v2/integration/chat/link";
  return [{ path: "/target/workspace", message: `is not a workspace that can be reached from here; ${remedy}` }];
}

/** @param teamId null: a subscription of the instance */
type TargetCheck = (db: Queryable, teamId: string | null, target: SubscriptionTarget) => Promise<ErrorDetail[]>;

/** What is wrong with the receiver of a subscription, by channel. Other channels can't be subscribed to. */
const targetChecks: Partial<Record<SubscriptionChannel, TargetCheck>> = {
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

/** Otherwise a misspelt member would be lost silently. */
function unknownMembers(target: SubscriptionTarget, known: readonly string[]): ErrorDetail[] {
  const unknown = Object.keys(target).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `/target/${name.slice(0, 100)}`, message: `is unknown here; known: ${known.join(", ")}` }));
}

import { type SubscriptionInput, subscriptionChannels } from "@millrace/contract/subscription.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { filterFaults } from "../../core/event-filters/filter-faults.ts";
import { notificationFilter, wantedKinds } from "../../core/outbound/wanted-kinds.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { SubscriptionFields } from "../../store/outbound/subscriptions.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { targetChecks } from "./target-checks.ts";

/**
 * @param before what stays where the body says nothing; undefined for a new one, which begins with the defaults
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

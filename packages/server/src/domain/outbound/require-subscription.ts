import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findSubscription, lockSubscription, type SubscriptionRow } from "../../store/outbound/subscriptions.ts";

/**
 * @param teamId null: the instance
 * @param ref id or name
 * @throws SUBSCRIPTION_INVALID_REF
 */
export async function requireSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow> {
  return found(await findSubscription(db, teamId, ref), ref);
}

/** The same, held until the transaction ends. */
export async function holdSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow> {
  return found(await lockSubscription(db, teamId, ref), ref);
}

function found(subscription: SubscriptionRow | undefined, ref: string): SubscriptionRow {
  if (!subscription) throw new AppError("SUBSCRIPTION_INVALID_REF", [ref]);
  return subscription;
}

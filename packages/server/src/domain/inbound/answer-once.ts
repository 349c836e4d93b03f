import { hash } from "node:crypto";
import type { Transaction } from "../../store/database/database.ts";
import {
  type AnswerToKeep,
  claimIdempotencyKeys,
  findKeptAnswer,
  type IdempotencyKey,
  keepAnswer,
} from "../../store/database/idempotency.ts";
import type { RunRow } from "../../store/run/runs.ts";

/** Identifies something that senders may deliver twice. Both parts are hashed, since they are the sender's text, of any length. */
export interface DeliveryKey {
  /** The scope of the identification: a team and a purpose. */
  scope: string;
  path: string;
  identity: readonly string[];
}

/** Deliveries that this transaction answers first, and has not answered yet. */
export type ClaimedDeliveries = Set<string>;

/**
 * Claims all deliveries of a request before any of them is answered. A second sender of one of them waits here (unique index) until this
 * transaction ends, and takes over if it failed.
 */
export async function claimDeliveries(tx: Transaction, deliveries: readonly DeliveryKey[]): Promise<ClaimedDeliveries> {
  if (deliveries.length === 0) return new Set();
  const wanted = deliveries.map((delivery) => ({ ...keyOf(delivery), requestHash: digestOf(delivery) }));
  return new Set((await claimIdempotencyKeys(tx, wanted)).map(nameOf));
}

/**
 * Does the work for the first delivery and stores the response with it. A repetition within 24 hours, even in the same request, gets the
 * stored response.
 */
export async function answerOnce<Answer>(
  tx: Transaction,
  claimed: ClaimedDeliveries,
  delivery: DeliveryKey,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const key = keyOf(delivery);
  if (!claimed.delete(nameOf(key))) {
    const kept = await findKeptAnswer(tx, key);
    if (kept?.response) return JSON.parse(kept.response) as Answer;
  }
  const answer = await make();
  await keepAnswer(tx, key, 200, JSON.stringify(answer));
  return answer;
}

/**
 * The response to a delivery, for the statement that records the run. That statement fails if the delivery is already claimed or answered.
 */
export function keptWith(delivery: DeliveryKey, view: (row: RunRow) => unknown): (row: RunRow) => AnswerToKeep {
  return (row) => ({ ...keyOf(delivery), requestHash: digestOf(delivery), response: JSON.stringify(view(row)) });
}

function keyOf(delivery: DeliveryKey): IdempotencyKey {
  return { principal: `delivery:${delivery.scope}`, method: "POST", path: delivery.path, key: digestOf(delivery).toString("hex") };
}

function digestOf({ identity }: DeliveryKey): Buffer {
  return hash("sha256", JSON.stringify(identity), "buffer");
}

function nameOf({ principal, path, key }: IdempotencyKey): string {
  return JSON.stringify([principal, path, key]);
}

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

/** Which thing that senders may deliver twice. Both parts are hashed: they are the sender's text and may be of any length. */
export interface DeliveryKey {
  /** Within which deliveries are distinguished: a team and what it is for. */
  scope: string;
  path: string;
  identity: readonly string[];
}

/** Deliveries that this transaction is the first to answer, and has not answered yet. */
export type ClaimedDeliveries = Set<string>;

/**
 * Claims all deliveries of one request before any of them is answered. A second sender of one of them waits here (unique
 * index) until this transaction ends, and takes over if it failed.
 */
export async function claimDeliveries(tx: Transaction, deliveries: readonly DeliveryKey[]): Promise<ClaimedDeliveries> {
  if (deliveries.length === 0) return new Set();
  const wanted = deliveries.map((delivery) => ({ ...keyOf(delivery), requestHash: digestOf(delivery) }));
  return new Set((await claimIdempotencyKeys(tx, wanted)).map(nameOf));
}

/**
 * Does it for the first delivery and keeps the answer with it; a repetition within 24 hours, also one in the same request, gets that
 * answer again.
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

/** The answer to a delivery, for the statement that records the run: that fails when the delivery is claimed or answered already. */
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

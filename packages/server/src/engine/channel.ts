import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../core/outbound/change-event.ts";
import type { OutboundEvent } from "../core/outbound/outbound-event.ts";
import type { Queryable } from "../store/database/database.ts";

/**
 * The contract between the deliverer and the channels that send events to the outside: webhook, email, chat, codehost. A channel has two
 * halves. Its target reader (domain/outbound/<kind>-target.ts, listed in engine/outbound/target-readers.ts) finds the receiver of a
 * delivery in the database, with secrets in clear. Its sender (channels/<kind>-sender.ts, listed in channels/registry.ts) sends it and
 * reports the outcome; it never writes to the database.
 */

/** The outcome of one attempt. */
export interface DeliveryReport {
  /** `retry`: it may succeed later. `rejected`: it never will, so it isn't retried. */
  outcome: "delivered" | "retry" | "rejected";
  /** Status code of the receiver's response. */
  status?: number;
  /** The response; the first 1 KiB is stored, masked. */
  answer?: string;
  /** For people: what went wrong, and the remedy if there is one. Stored masked. */
  error?: string;
  /** How long the receiver asks to wait. */
  retryAfterMs?: number;
  /** The receiver wants no more events: the subscription is paused. */
  isGone?: boolean;
}

export interface OutgoingDelivery {
  /** The same in each attempt, so that the receiver can recognize duplicates. */
  deliveryId: string;
  event: OutboundEvent;
  /** From 1. */
  attempt: number;
  /** For the receiver's own spans; absent if the attempt is not traced. */
  traceparent?: string | undefined;
  /** Aborted when the time for the attempt is over. */
  signal: AbortSignal;
}

export interface Sender<Target = unknown> {
  readonly kind: DeliveryChannel;
  /** An error that it throws counts as the outcome `retry` with the error's message. */
  send(delivery: OutgoingDelivery, target: Target): Promise<DeliveryReport>;
  /** Closes open connections, after the last delivery. */
  close?(): Promise<void>;
}

/**
 * The receiver of the delivery, in the form that the sender of the same kind understands. It may contain secrets in clear, and lists them
 * in `secrets`, so that they are masked in responses and errors. A report instead ends the attempt without sending, if there is no
 * receiver.
 */
export type TargetReader<Target = unknown> = (
  db: Queryable,
  keyring: Keyring,
  delivery: ClaimedDelivery,
) => Promise<{ target: Target; secrets?: readonly string[] } | { report: DeliveryReport }>;

export interface Channel<Target = unknown> extends Sender<Target> {
  readTarget: TargetReader<Target>;
}

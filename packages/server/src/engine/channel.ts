import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../core/outbound/change-event.ts";
import type { OutboundEvent } from "../core/outbound/outbound-event.ts";
import type { Queryable } from "../store/database/database.ts";

/**
 * The contract between the deliverer and what carries events to the outside: webhook, email, chat, codehost. A channel has two halves.
 * The reader of its targets (domain/outbound/<kind>-target.ts, listed in engine/outbound/target-readers.ts) finds in the database to whom a
 * delivery goes, with the secrets in clear. The sender (channels/<kind>-sender.ts, listed in channels/registry.ts) speaks to the other
 * side and reports; it never writes to the database.
 */

/** What came of one attempt. */
export interface DeliveryReport {
  /** `retry`: it may work later. `rejected`: it never will, so it isn't tried again. */
  outcome: "delivered" | "retry" | "rejected";
  /** Status code of the other side's answer. */
  status?: number;
  /** The answer; the first 1 KiB is kept, masked. */
  answer?: string;
  /** For people: what went wrong, and the remedy where there is one. Kept masked. */
  error?: string;
  /** The other side wants to be left alone for so long. */
  retryAfterMs?: number;
  /** The other side wants nothing any more: the subscription is paused. */
  isGone?: boolean;
}

export interface OutgoingDelivery {
  /** The same in each attempt: the other side knows by it what it has got already. */
  deliveryId: string;
  event: OutboundEvent;
  /** From 1. */
  attempt: number;
  /** For the receiver's own spans; absent: the attempt is not traced. */
  traceparent?: string | undefined;
  /** Aborted when the time for the attempt is over. */
  signal: AbortSignal;
}

export interface Sender<Target = unknown> {
  readonly kind: DeliveryChannel;
  /** What it throws is an outcome `retry` with the error's message. */
  send(delivery: OutgoingDelivery, target: Target): Promise<DeliveryReport>;
  /** Ends what is open, when nothing is sent any more. */
  close?(): Promise<void>;
}

/**
 * To whom the delivery goes, in a value that the sender of the same kind understands; it may hold secrets in clear, and names them in
 * `secrets`, so that they are masked in answers and errors. A report instead ends the attempt without sending: nothing to send to.
 */
export type TargetReader<Target = unknown> = (
  db: Queryable,
  keyring: Keyring,
  delivery: ClaimedDelivery,
) => Promise<{ target: Target; secrets?: readonly string[] } | { report: DeliveryReport }>;

export interface Channel<Target = unknown> extends Sender<Target> {
  readTarget: TargetReader<Target>;
}

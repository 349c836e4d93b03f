import { deliveryAttempts } from "../../base/metrics/metrics.ts";
import type { Log } from "../../base/process/log.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { createMasker } from "../../base/secret/mask.ts";
import { newTrace, type TraceContext, writeTraceparent } from "../../base/trace/trace-context.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { deliveryDelayMs } from "../../core/outbound/delivery-delay.ts";
import { outboundEvent } from "../../core/outbound/outbound-event.ts";
import type { Database } from "../../store/database/database.ts";
import { claimDeliveries, type DeliveryResult, findNextDelivery, type NextDelivery } from "../../store/outbound/deliveries.ts";
import type { Channel, DeliveryReport } from "../channel.ts";
import { DeliveryRecorder } from "./delivery-recorder.ts";

/**
 * Sends queued deliveries. A delivery is claimed for the time of a lease, sent, and its outcome recorded. If the process dies in between,
 * the lease expires and it is sent again, so everything arrives at least once. Only a few deliveries to a receiver are in progress at a
 * time, and only one if it keeps failing, so that a dead receiver takes no capacity from the others.
 */

export interface DelivererParts {
  sql: Database;
  keyring: Keyring;
  channels: readonly Channel[];
  /** Base URL of the links in events. */
  publicUrl: string;
  /** Absent if attempts are not traced. */
  tracing?: Tracing | undefined;
  log: Log;
  /** There may be capacity, or something due: check again. */
  onRoom: () => void;
  /** The outcome of a delivery was recorded. @param isPaused its subscription was also paused */
  onRecord: (delivery: ClaimedDelivery, isPaused: boolean) => void;
}

const attemptTimeoutMs = 10_000;
/** Longer than an attempt and recording its outcome can take. */
const leaseMs = 60_000;
const maxInProgress = 256;
const maxPerReceiver = 32;
/** After so many failures without a success, only one is in progress at a time. */
const patience = 3;
/** The longest pause between two polls, because a wake may be lost. */
const idleMs = 15_000;
const busyMs = 250;
/** For a response and for an error each. */
const storedBytes = 1024;

interface Receiver {
  inProgress: number;
  failures: number;
}

export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #channels: ReadonlyMap<string, Channel>;
  readonly #recorder: DeliveryRecorder;
  readonly #receivers = new Map<string, Receiver>();
  readonly #inProgress = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#channels = new Map(parts.channels.map((channel) => [channel.kind, channel]));
    this.#recorder = new DeliveryRecorder(parts.sql, parts.log);
  }

  /**
   * Starts sending what is due, as far as there is capacity. @returns milliseconds until the next is due, if nothing wakes the deliverer
   * earlier
   */
  async tick(): Promise<number> {
    const { sql } = this.#parts;
    // While many are in progress there is most likely more; otherwise one small query tells.
    if (this.#inProgress.size === 0) {
      const leftMs = untilDue(await findNextDelivery(sql));
      if (leftMs > 0) return leftMs;
    }
    const count = maxInProgress - this.#inProgress.size;
    const claimed = count > 0 ? await claimDeliveries(sql, { count, perReceiver: maxPerReceiver, rooms: this.#rooms(), leaseMs }) : [];
    for (const delivery of claimed) this.#begin(delivery);
    // The end of an attempt wakes the deliverer. What others hold, or what becomes due in the meantime, does not.
    return busyMs;
  }

  /** Resolves when nothing is in progress any more. */
  async settle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  /** Gives attempts so much time to finish, then aborts them. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(new Error("the service stops")), graceMs);
    await this.settle();
    clearTimeout(timer);
  }

  #rooms(): { receiverId: string; free: number }[] {
    return [...this.#receivers].map(([receiverId, { inProgress, failures }]) => {
      const most = failures >= patience ? 1 : maxPerReceiver;
      return { receiverId, free: Math.max(0, most - inProgress) };
    });
  }

  #begin(delivery: ClaimedDelivery): void {
    const receiver = this.#receivers.get(delivery.receiverId) ?? { inProgress: 0, failures: 0 };
    this.#receivers.set(delivery.receiverId, receiver);
    receiver.inProgress++;
    const attempt = this.#attempt(delivery, receiver)
      .catch((error: unknown) => this.#parts.log.error({ err: error, deliveryId: delivery.id }, "a delivery attempt could not be recorded"))
      .finally(() => {
        receiver.inProgress--;
        if (receiver.inProgress === 0 && receiver.failures === 0) this.#receivers.delete(delivery.receiverId);
        this.#inProgress.delete(attempt);
        this.#parts.onRoom();
      });
    this.#inProgress.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery, receiver: Receiver): Promise<void> {
    const span = this.#parts.tracing && newTrace(this.#parts.tracing);
    const startMs = Date.now();
    const report = await this.#send(delivery, span && writeTraceparent(span));
    if (span) this.#trace(delivery, report, span, startMs);
    receiver.failures = report.outcome === "retry" ? receiver.failures + 1 : 0;
    const result = toResult(delivery, report);
    const isGivenUp = await this.#recorder.record(result, report.isGone ? delivery.subscriptionId : null);
    this.#note(delivery, isGivenUp ? { ...result, outcome: "dead" } : result);
    this.#parts.onRecord(delivery, report.isGone === true);
  }

  #trace(
    { id, channel, attempt, event }: ClaimedDelivery,
    { outcome, status, error }: DeliveryReport,
    context: TraceContext,
    startMs: number,
  ): void {
    this.#parts.tracing?.record({
      ...{ context, name: `deliver ${channel}`, kind: "client", startMs, endMs: Date.now() },
      attributes: {
        "millrace.delivery.id": id,
        "millrace.attempt": attempt,
        "millrace.event.id": event.id,
        "millrace.object.id": event.objectId,
        ...(status !== undefined && { "http.response.status_code": status }),
      },
      ...(outcome !== "delivered" && { error: error ?? outcome }),
    });
  }

  #note({ id, channel, attempt, subscriptionId, event }: ClaimedDelivery, { outcome, status, error }: DeliveryResult): void {
    deliveryAttempts.inc({ channel, outcome });
    if (outcome !== "dead") return;
    const fields = { deliveryId: id, channel, attempt, teamId: event.teamId, subscriptionId, status, error };
    this.#parts.log.warn(fields, "a delivery was given up; it can be sent again");
  }

  /** Never throws: errors become reports. */
  async #send(delivery: ClaimedDelivery, traceparent: string | undefined): Promise<DeliveryReport> {
    let mask = (text: string) => text;
    try {
      const channel = this.#channels.get(delivery.channel);
      if (!channel) return { outcome: "retry", error: `This process has no channel ${delivery.channel}` };
      const found = await channel.readTarget(this.#parts.sql, this.#parts.keyring, delivery);
      if ("report" in found) return found.report;
      mask = createMasker(found.secrets ?? []).maskText;
      const signal = AbortSignal.any([AbortSignal.timeout(attemptTimeoutMs), this.#stopping.signal]);
      const event = outboundEvent(delivery.event, this.#parts.publicUrl);
      const report = await channel.send({ deliveryId: delivery.id, event, attempt: delivery.attempt, traceparent, signal }, found.target);
      return masked(report, mask);
    } catch (error) {
      return masked({ outcome: "retry", error: error instanceof Error ? error.message : String(error) }, mask);
    }
  }
}

function untilDue({ now, nextDueAt }: NextDelivery): number {
  return nextDueAt === null ? idleMs : Math.min(Math.max(nextDueAt.getTime() - now.getTime(), 0), idleMs);
}

function masked(report: DeliveryReport, mask: (text: string) => string): DeliveryReport {
  const { answer, error, ...rest } = report;
  return { ...rest, ...(answer !== undefined && { answer: mask(answer) }), ...(error !== undefined && { error: mask(error) }) };
}

function toResult({ id, attempt, receiverId, event }: ClaimedDelivery, report: DeliveryReport): DeliveryResult {
  const { outcome, status, answer, error, retryAfterMs } = report;
  return {
    id,
    attempt,
    receiverId,
    laneId: event.laneId,
    outcome: outcome === "rejected" ? "dead" : outcome,
    delayMs: deliveryDelayMs(attempt, Math.random(), retryAfterMs),
    status: status ?? null,
    answer: answer === undefined ? null : firstBytes(answer, storedBytes),
    error: error === undefined ? null : firstBytes(error, storedBytes),
  };
}

/** At most so many bytes of UTF-8, without a partial character at the end; the database accepts neither NUL nor lone surrogates. */
function firstBytes(text: string, bytes: number): string {
  const cut = Buffer.from(text.replaceAll("\0", "\ufffd"), "utf8").subarray(0, bytes);
  return new TextDecoder("utf-8").decode(cut, { stream: true });
}

import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { Log } from "../../base/process/log.ts";
import { waitAtMost } from "../../base/process/retry-later.ts";
import { createPool, type Database } from "./database.ts";
import type { DatabaseAddress } from "./database-address.ts";

/**
 * Carries wakes between the processes of one database, by NOTIFY on a connection of its own: inside the transactions that cause
 * them, NOTIFY would make every commit wait for one global lock. What happens within 5 ms goes out as one message. Nothing is
 * kept for a database that can't be reached; after a new LISTEN everything is to be examined, because messages may be lost.
 */
export class NotifyBridge {
  readonly #name = randomUUID();
  readonly #bus: EventBus;
  readonly #log: Log;
  readonly #sender: Database;
  readonly #receiver: Database;
  #outgoing = new Map<string, Set<string> | undefined>();
  #isSending = false;
  #isListening: Promise<void> | undefined;
  #problem: unknown;
  readonly #closing = new AbortController();

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(bus: EventBus, address: DatabaseAddress, log: Log) {
    this.#bus = bus;
    this.#log = log;
    this.#sender = createPool(address, { maxConnections: 1, applicationName: "millrace notify" });
    this.#receiver = createPool(address, {
      maxConnections: 1,
      applicationName: "millrace listen",
      keepsConnections: true,
      onNotify: (_channel, message) => this.#receive(message),
      onClose: () => this.#listen(),
    });
  }

  /**
   * @param address not behind a pooler that gives each transaction another session: MILLRACE_DATABASE_DIRECT_URL
   * @param patienceMs how long it tries to listen for the first time
   * @throws the error that prevented listening
   */
  static async open(bus: EventBus, address: DatabaseAddress, log: Log, patienceMs = 10_000): Promise<NotifyBridge> {
    const bridge = new NotifyBridge(bus, address, log);
    bus.forwardTo((channel, payload) => bridge.#enqueue(channel, payload));
    await waitAtMost(bridge.#listen(), patienceMs);
    if (!bridge.#isListening) return bridge;
    await bridge.close();
    throw bridge.#problem ?? Object.assign(new Error("LISTEN was not answered"), { code: "CONNECT_TIMEOUT" });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#bus.forwardTo(undefined);
    const listening = this.#isListening;
    // Doesn't wait for a server that does not respond.
    if (listening !== undefined) await waitAtMost(listening, 1_000);
    await Promise.all([this.#sender.end({ timeout: 1 }), this.#receiver.end({ timeout: 1 })]);
  }

  #enqueue(channel: string, payload: string | undefined): void {
    const before = this.#outgoing.get(channel);
    const isUnknown = payload === undefined || (before === undefined && this.#outgoing.has(channel)) || (before?.size ?? 0) >= maxPayloads;
    this.#outgoing.set(channel, isUnknown ? undefined : (before ?? new Set()).add(payload));
    if (!this.#isSending) void this.#send();
  }

  /**
   * Wakes of one turn of the event loop are sent at once, together: the end of a step and the claim of the next one. Wakes of the next 5
   * ms, or while a message is being sent, form the next message.
   */
  async #send(): Promise<void> {
    this.#isSending = true;
    await nextTurn();
    while (this.#outgoing.size > 0 && !this.#closing.signal.aborted) {
      const message = encode(this.#name, this.#outgoing);
      this.#outgoing = new Map();
      try {
        await Promise.all([this.#notify(message), wait(5)]);
      } catch (error) {
        this.#log.debug({ err: error }, "a notification for other processes was lost");
        await wait(5);
      }
    }
    this.#isSending = false;
  }

  /** A message is a commit of its own. It does not wait for the disk, because it is only a hint, and important commits wait there. */
  async #notify(message: string): Promise<void> {
    await this.#sender`
      with quick as materialized (select set_config('synchronous_commit', 'off', true) as off)
      select pg_notify(${channelName}, ${message}) from quick where quick.off = 'off'`;
  }

  #receive(text: string): void {
    const message = decode(text);
    if (!message || message.from === this.#name) return;
    for (const [channel, payloads] of Object.entries(message.channels)) this.#bus.deliver(channel, payloads ?? undefined);
  }

  /** The driver's own listen() drops its listener if the first reconnect fails, so a restarting database would silence it. */
  #listen(): Promise<void> {
    this.#isListening ??= this.#listenUntilHeard().finally(() => {
      this.#isListening = undefined;
    });
    return this.#isListening;
  }

  async #listenUntilHeard(): Promise<void> {
    for (let pauseMs = 20; !this.#closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      try {
        await this.#receiver`listen ${this.#receiver(channelName)}`;
        this.#bus.deliverEverywhere();
        return;
      } catch (error) {
        this.#problem = error;
        this.#log.debug({ err: error }, "cannot listen to other processes; retrying");
        await wait(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }
}

const channelName = "millrace_wake";
/** A message of NOTIFY holds less than 8,000 bytes; ids of 36 characters fit, and anything longer becomes "check everything". */
const maxPayloads = 150;
const maxMessageBytes = 7_900;

interface Message {
  from: string;
  /** null: check everything. */
  channels: Record<string, string[] | null>;
}

function encode(from: string, outgoing: ReadonlyMap<string, ReadonlySet<string> | undefined>): string {
  const channels = Object.fromEntries([...outgoing].map(([channel, payloads]) => [channel, payloads ? [...payloads] : null]));
  const message = JSON.stringify({ from, channels } satisfies Message);
  if (Buffer.byteLength(message) <= maxMessageBytes) return message;
  return JSON.stringify({ from, channels: Object.fromEntries([...outgoing.keys()].map((channel) => [channel, null])) } satisfies Message);
}

function decode(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as Message;
    return typeof message.channels === "object" && message.channels !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

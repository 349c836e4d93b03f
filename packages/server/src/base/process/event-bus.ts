/** Which things of a channel changed; undefined: unknown, so check everything. */
export type WakePayloads = ReadonlySet<string> | undefined;
export type WakeListener = (payloads: WakePayloads) => void;

/** How many delayed payloads are sent together; more of them are replaced by "check everything". */
const mostHeld = 100;

/**
 * Tells the parts of this process that there may be work, so that they need not wait for their next sweep. Only ever a notification: rows
 * hold the truth, a wake may be lost or come for nothing. Wakes of the same turn of the event loop arrive as one.
 */
export class EventBus {
  readonly #listeners = new Map<string, Set<WakeListener>>();
  readonly #waiting = new Map<string, Set<string> | undefined>();
  /** Of channels that were woken a moment ago by `wakePaced`: what is held back of them. */
  readonly #held = new Map<string, Set<string>>();
  readonly #paceMs: number;
  #forward: ((channel: string, payload: string | undefined) => void) | undefined;

  /** @param paceMs shortest time between two paced wakes of a channel */
  constructor({ paceMs = 1000 }: { paceMs?: number } = {}) {
    this.#paceMs = paceMs;
  }

  /** Call it after the commit of the change. Without a payload: anything of the channel may have changed. */
  wake(channel: string, payload?: string): void {
    this.#forward?.(channel, payload);
    this.deliver(channel, payload === undefined ? undefined : [payload]);
  }

  /** For changes that may happen a thousand times a second: the first is sent at once, the following ones together after a pause. */
  wakePaced(channel: string, payloads: Iterable<string>): void {
    const held = this.#held.get(channel) ?? new Set();
    for (const payload of payloads) held.add(payload);
    if (!this.#held.has(channel)) this.#release(channel, held);
  }

  #release(channel: string, held: ReadonlySet<string>): void {
    this.#held.delete(channel);
    if (held.size === 0) return;
    if (held.size > mostHeld) this.wake(channel);
    else for (const payload of held) this.wake(channel, payload);
    const next = new Set<string>();
    this.#held.set(channel, next);
    setTimeout(() => this.#release(channel, next), this.#paceMs).unref();
  }

  /** Returns the function that unsubscribes. */
  onWake(channel: string, listener: WakeListener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Receives the wakes of this process in addition to its own listeners: forwards them to the other processes. */
  forwardTo(forward: ((channel: string, payload: string | undefined) => void) | undefined): void {
    this.#forward = forward;
  }

  /** A wake from another process. */
  deliver(channel: string, payloads: Iterable<string> | undefined): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    const before = this.#waiting.get(channel);
    const isUnknown = payloads === undefined || (before === undefined && this.#waiting.has(channel));
    if (isUnknown) this.#waiting.set(channel, undefined);
    // A burst of runs wakes hundreds of times in a turn, so they are added to what waits, and it is not copied.
    else if (before) for (const payload of payloads) before.add(payload);
    else this.#waiting.set(channel, new Set(payloads));
  }

  /** After an interruption in which wakes of other processes may have been lost. */
  deliverEverywhere(): void {
    for (const channel of this.#listeners.keys()) this.deliver(channel, undefined);
  }

  #flush(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [channel, payloads] of waiting) {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payloads);
    }
  }
}

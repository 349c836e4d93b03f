import { isFinal } from "@millrace/contract/status.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import { channels } from "../../domain/run/report-changes.ts";
import type { Database } from "../../store/database/database.ts";
import { listRunStatuses } from "../../store/run/run-states.ts";

/** How often it looks for ends that nobody published, because notifications may be lost. */
const defaultPollMs = 3000;

interface WaitedRun {
  teamId: string;
  /** Of everyone who waits for its end. */
  ends: Set<() => void>;
}

/** So many ended runs are remembered: those of the last second or more. */
const maxRemembered = 5_000;

/**
 * Waits of this process for the ends of runs. What happens in a run before its end wakes nobody, and one statement looks for all runs that
 * are waited for: so a wait costs the database nothing, however many there are and however busy their runs.
 *
 * A run may end before anyone waits for it. So the first look of a wait is for its status, unless the run was recorded a moment ago by
 * this process, which has listened since before: then the end was heard, and is remembered.
 */
export class RunEnds {
  readonly #db: Database;
  readonly #bus: EventBus;
  readonly #pollMs: number;
  readonly #waited = new Map<string, WaitedRun>();
  readonly #ended = new Set<string>();
  #isListening = false;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(db: Database, bus: EventBus, pollMs = defaultPollMs) {
    this.#db = db;
    this.#bus = bus;
    this.#pollMs = pollMs;
  }

  /**
   * Returns when the run has ended or was deleted, the time is up, or a signal ends the wait.
   * @param isNew this process has just recorded the run
   */
  async wait(teamId: string, runId: string, forMs: number, signals: readonly AbortSignal[], isNew = false): Promise<void> {
    const wasListening = this.#isListening;
    let end = () => {};
    const over = new Promise<void>((done) => {
      end = done;
    });
    const timer = setTimeout(end, forMs);
    for (const signal of signals) signal.addEventListener("abort", end);
    this.#add(teamId, runId, end);
    try {
      if (signals.some(({ aborted }) => aborted)) return;
      if (isNew && wasListening) {
        if (!this.#ended.has(runId)) await over;
        return;
      }
      // Only now: an end that follows is published.
      const [status] = (await listRunStatuses(this.#db, [{ teamId, id: runId }])).values();
      if (status !== undefined && !isFinal(status)) await over;
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", end);
      this.#remove(runId, end);
    }
  }

  #add(teamId: string, runId: string, end: () => void): void {
    const waited = this.#waited.get(runId) ?? { teamId, ends: new Set() };
    waited.ends.add(end);
    this.#waited.set(runId, waited);
    this.#listen();
    this.#timer ??= setInterval(() => void this.#look(), this.#pollMs).unref();
  }

  #remove(runId: string, end: () => void): void {
    const waited = this.#waited.get(runId);
    waited?.ends.delete(end);
    if (waited?.ends.size === 0) this.#waited.delete(runId);
    if (this.#waited.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** From the first wait on, whether anyone waits or not. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#bus.onWake(channels.ended, (ids) => {
      if (ids === undefined) void this.#look();
      else for (const id of ids) this.#end(id);
    });
  }

  #end(runId: string): void {
    this.#ended.add(runId);
    // A set keeps the order in which its values came.
    if (this.#ended.size > maxRemembered) this.#ended.delete(this.#ended.values().next().value as string);
    for (const end of this.#waited.get(runId)?.ends ?? []) end();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const runs = [...this.#waited].map(([id, { teamId }]) => ({ teamId, id }));
      const statuses = await listRunStatuses(this.#db, runs);
      for (const { id } of runs) {
        const status = statuses.get(id);
        if (status === undefined || isFinal(status)) this.#end(id);
      }
    } catch {
      // It looks again, and what follows the wait says what is wrong with the database.
    } finally {
      this.#isLooking = false;
    }
  }
}

import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import type { RunEvent } from "../core/run/advance.ts";
import { cancelReasons } from "../core/run/handlers/run-outcome.ts";
import type { RunChange } from "../core/run/run-change.ts";
import type { RunResult } from "../core/run/run-state.ts";
import { startAfterRefusedRetry } from "../domain/inbound/start-by-outcome.ts";
import { advanceRuns, type RunWork } from "../domain/run/advance-runs.ts";
import { channels, reportChanges, reportSubmitted } from "../domain/run/report-changes.ts";
import { retryRunBySignal } from "../domain/run/rerun/retry-run.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { Database } from "../store/database/database.ts";
import { isOutage, isStatementTimeout } from "../store/database/database-error.ts";
import { transaction } from "../store/database/transaction.ts";
import { admitWaiting } from "../store/run/limits/run-slots.ts";
import { type EngineWork, findEngineWork, type SignalRow } from "../store/run/queue/engine-work.ts";
import { claimRuns } from "../store/run/queue/queued-runs.ts";
import { deleteSignal } from "../store/run/run-events.ts";
import type { LockOptions } from "../store/run/run-states.ts";

/**
 * Drives runs that no request drives: starts queued ones, gives slots to those that become active again, delivers signals, and handles what
 * is due. (The worker watcher reclaims the attempts of lost workers.) Any number of processes may do this at once; a run that another one
 * holds is left to it.
 *
 * Runs are advanced in batches, one transaction each. A failed batch is taken apart, so that one bad run can't hold up others. A run on
 * which the engine itself fails ends as invalid with the reason, because a run that hangs forever helps nobody.
 */

export interface RunDriverParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  log: Log;
}

const batchSize = 50;
const workLimit = 500;
/** Pause if there is something to do that others hold. */
const busyMs = 100;
/** The longest pause between two polls, if nothing is known to become due. */
const idleMs = 5000;
/** With the usual statement timeout of 30 s, a run that can't be written blocks a slot for about two minutes. */
const maxTimeouts = 4;

export class RunDriver {
  readonly #parts: RunDriverParts;
  /** How often in a row the change of a run hit the statement timeout, by run id. */
  readonly #timeouts = new Map<string, number>();

  constructor(parts: RunDriverParts) {
    this.#parts = parts;
  }

  /** Checks everything once. @returns milliseconds until the next look is due if nothing wakes the driver before */
  async tick(): Promise<number> {
    const found = await findEngineWork(this.#parts.sql, workLimit);
    this.#parts.context.clock.note(found.now.getTime());
    const work = collectWork(found);
    let moved = 0;
    for (let start = 0; start < work.length; start += batchSize) {
      const changes = await this.advance(work.slice(start, start + batchSize), { skipLocked: true });
      moved += changes.filter((change) => change.after.stateVersion !== change.before.stateVersion).length;
    }
    for (const signal of found.signals) if (signal.kind === "retry" && (await this.#retry(signal))) moved += 1;
    const looked = found.hasLimitsToCheck ? await admitWaiting(this.#parts.sql, workLimit) : 0;
    moved += looked;
    if (found.hasRunsWithoutPlace || looked > 0) moved += await this.givePlaces();
    if (found.hasReadyTaskRuns) this.#parts.bus.deliver(channels.tasks, undefined);
    if (moved > 0) return 0;
    // A row that did not change is being handled by another process right now.
    if (work.length > 0 || found.hasLimitsToCheck) return busyMs;
    return found.nextDueAt ? clamp(found.nextDueAt.getTime() - found.now.getTime(), 1, idleMs) : idleMs;
  }

  /** Starts queued runs, and lets those continue that wait for a slot, while teams have room. @returns how many */
  async givePlaces(): Promise<number> {
    let total = 0;
    for (;;) {
      const started = await this.#startBatch(batchSize);
      total += started;
      if (started === 0) return total;
    }
  }

  async #startBatch(size: number): Promise<number> {
    const { sql, context } = this.#parts;
    let claimed: RunWork[] = [];
    try {
      const { quotas, features } = await context.settings.load(sql);
      const quota = { defaultConcurrent: quotas.maxConcurrentRuns, isUnlimited: !features.teamQuotas };
      const changes = await transaction(sql, async (tx) => {
        const runs = await claimRuns(tx, size, quota);
        claimed = runs.map(({ teamId, id, isNew, hasPlace }) => ({
          teamId,
          id,
          events: [isNew ? { kind: "start", hasPlace } : { kind: "activate" }],
        }));
        return advanceRuns(tx, context, claimed);
      });
      this.#committed(changes);
    } catch (error) {
      const [first] = claimed;
      if (!first || this.#shouldTryAgain(claimed, error)) throw error;
      if (claimed.length > 1) return this.#startBatch(1);
      await this.#giveUp(first, error);
    }
    return claimed.length;
  }

  /** Advances runs in one transaction; takes the batch apart if it fails. */
  async advance(work: readonly RunWork[], options: LockOptions = {}): Promise<RunChange[]> {
    const { sql, context } = this.#parts;
    try {
      const write = async (): Promise<RunChange[]> => {
        const changes = await transaction(sql, (tx) => advanceRuns(tx, context, work, options));
        this.#committed(changes);
        return changes;
      };
      return await context.states.keepClaims(
        work.map(({ id }) => id),
        write,
      );
    } catch (error) {
      const [first] = work;
      if (!first || this.#shouldTryAgain(work, error)) throw error;
      if (work.length > 1) return (await Promise.all(work.map((one) => this.advance([one], options)))).flat();
      return this.#giveUp(first, error);
    }
  }

  /**
   * An unreachable database is worth waiting for. If it cancels the statement because of its timeout, it may be overloaded, or the change
   * may always be too large: a batch is taken apart, and a single run is tried a few times before the engine gives up on it.
   */
  #shouldTryAgain(work: readonly RunWork[], error: unknown): boolean {
    if (!isStatementTimeout(error)) return isOutage(error);
    const [only, ...others] = work;
    if (!only || others.length > 0) return false;
    const failures = (this.#timeouts.get(only.id) ?? 0) + 1;
    if (failures < maxTimeouts) this.#timeouts.set(only.id, failures);
    else this.#timeouts.delete(only.id);
    return failures < maxTimeouts;
  }

  async #giveUp(run: RunWork, error: unknown): Promise<RunChange[]> {
    const { sql, context, log } = this.#parts;
    log.error({ err: error, runId: run.id, teamId: run.teamId }, "the engine failed on a run; the run ends as invalid");
    const event: RunEvent = { kind: "broken", message: "The engine failed on this run; see the log of the service" };
    const changes = await transaction(sql, (tx) => advanceRuns(tx, context, [{ ...run, events: [event] }]));
    this.#committed(changes);
    return changes;
  }

  #committed(changes: readonly RunChange[]): void {
    for (const change of changes) {
      this.#parts.context.states.put(change.after);
      this.#timeouts.delete(change.after.id);
    }
    reportChanges(this.#parts, changes);
  }

  async #retry(signal: SignalRow): Promise<boolean> {
    const { sql, context, bus, log } = this.#parts;
    try {
      await transaction(sql, (tx) => retryRunBySignal(tx, context, signal));
      bus.wake(channels.engine);
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      // A refusal (an inactive team, a deleted workflow) would be repeated endlessly.
      log.error(
        { err: error, runId: signal.runId, teamId: signal.teamId },
        "the automatic retry of a run was refused; the run is not retried",
      );
      await this.#giveUpRetry(signal);
      return false;
    }
  }

  async #giveUpRetry({ teamId, runId, id }: SignalRow): Promise<void> {
    const { sql, context } = this.#parts;
    const started = await transaction(sql, async (tx) => {
      await deleteSignal(tx, teamId, id);
      return startAfterRefusedRetry(tx, context, teamId, runId);
    });
    for (const run of started) reportSubmitted(this.#parts, run);
  }
}

/** Everything that concerns one run becomes one piece of work. */
function collectWork(found: EngineWork): RunWork[] {
  const work = new Map<string, { teamId: string; id: string; events: RunEvent[]; drained: number[] }>();
  const of = (teamId: string, id: string) => {
    const known = work.get(id) ?? { teamId, id, events: [], drained: [] };
    work.set(id, known);
    return known;
  };
  for (const signal of found.signals) {
    if (signal.kind === "retry") continue;
    const run = of(signal.teamId, signal.runId);
    run.events.push(eventOf(signal));
    run.drained.push(signal.id);
  }
  for (const { teamId, id } of found.due) of(teamId, id).events.push({ kind: "look" });
  return [...work.values()];
}

function eventOf({ kind, data }: SignalRow): RunEvent {
  if (kind === "cancel") {
    const reason = cancelReasons.find((known) => known === data.reason);
    return { kind, message: String(data.message ?? "Cancelled"), reason, sparesHandlers: data.sparesHandlers === true };
  }
  if (kind === "lock") return { kind, key: String(data.key) };
  if (kind === "event") {
    return {
      kind: "callback",
      topic: String(data.topic),
      status: data.status === "failed" ? "failed" : "succeeded",
      payload: data.payload,
    };
  }
  return {
    kind: "child",
    taskRunId: String(data.taskRunId),
    runId: String(data.runId),
    status: String(data.status),
    results: (data.results ?? []) as RunResult[],
    message: (data.message ?? null) as string | null,
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

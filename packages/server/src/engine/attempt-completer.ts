import { advance } from "../core/run/advance.ts";
import { noFacts } from "../core/run/facts.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import { wakeForChanges } from "../domain/run/wake-for-changes.ts";
import type { Database } from "../store/database/database.ts";
import { isOutage, isStatementTimeout, sqlState } from "../store/database/database-error.ts";
import { completeAndClaim, type NextClaims, type PlannedChange } from "../store/run/run-changes.ts";
import type { Claim } from "../store/worker/workers.ts";
import type { RunDriver } from "./run-driver.ts";

interface AttemptCompleterParts {
  sql: Database;
  context: RunContext;
  bus: Parameters<typeof wakeForChanges>[0];
  driver: RunDriver;
}

/**
 * Records the ends of attempts and takes the next ones. The fast way is one round trip: the change is computed from the states that this
 * process remembers, and the database refuses it where a state was old. What is refused, or needs to ask the database something, goes
 * the driver's way: lock, read, decide, write.
 */
export class AttemptCompleter {
  readonly #parts: AttemptCompleterParts;

  constructor(parts: AttemptCompleterParts) {
    this.#parts = parts;
  }

  /** @returns what was claimed on the way; the caller has to run it */
  async complete(work: readonly RunWork[], next: NextClaims): Promise<Claim[]> {
    const fast: { work: RunWork; planned: PlannedChange }[] = [];
    const slow: RunWork[] = [];
    for (const item of work) {
      // What fails here fails the driver's way too, and that way knows what to do about it.
      const planned = await this.#plan(item).catch(() => undefined);
      if (planned) fast.push({ work: item, planned });
      else slow.push(item);
    }
    const { claims, refused } = fast.length > 0 ? await this.#write(fast, next) : { claims: [], refused: [] };
    if (slow.length + refused.length > 0) await this.#parts.driver.advance([...slow, ...refused]);
    return claims;
  }

  /**
   * The change, computed from memory; undefined when that is not possible. Each end leaves a record: one without shows that the memory
   * does not know of its claim (claims change no version), and only the rows can tell whether it counts.
   */
  async #plan(work: RunWork): Promise<PlannedChange | undefined> {
    const { context } = this.#parts;
    const state = context.states.get(work.id);
    const now = context.clock.now();
    if (!state || now === undefined) return undefined;
    const plan = await context.plans.load(this.#parts.sql, state);
    const facts = noFacts();
    const { change } = advance(plan, state, work.events, facts, context.types, now);
    return change && change.attempts.length === work.events.length ? { plan, change, drained: [] } : undefined;
  }

  async #write(
    fast: readonly { work: RunWork; planned: PlannedChange }[],
    next: NextClaims,
  ): Promise<{ claims: Claim[]; refused: RunWork[] }> {
    const { sql, context, bus } = this.#parts;
    for (const { work } of fast) context.states.delete(work.id);
    try {
      const { applied, claims } = await completeAndClaim(
        sql,
        fast.map(({ planned }) => planned),
        next,
      );
      const done = fast.filter(({ work }) => applied.has(work.id)).map(({ planned }) => planned.change);
      for (const { before, after } of done) context.states.put({ ...after, stateVersion: before.stateVersion + 1 });
      for (const claim of claims) context.states.claimed(claim, next.workerId);
      wakeForChanges(bus, done);
      return { claims, refused: fast.filter(({ work }) => !applied.has(work.id)).map(({ work }) => work) };
    } catch (error) {
      // A claim came between, or one of the changes can't be written: nothing was, and the other way finds out what is true, run by run.
      const isOwnFault = sqlState(error) === "40001" || isStatementTimeout(error) || !isOutage(error);
      if (isOwnFault) return { claims: [], refused: fast.map(({ work }) => work) };
      throw error;
    }
  }
}

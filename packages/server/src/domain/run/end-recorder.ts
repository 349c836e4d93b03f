import type { EventBus } from "../../base/process/event-bus.ts";
import { advance } from "../../core/run/advance.ts";
import { noFacts } from "../../core/run/facts.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { Database } from "../../store/database/database.ts";
import { isOutage, isStatementTimeout, sqlState } from "../../store/database/database-error.ts";
import { applyRunChanges, type PlannedChange } from "../../store/run/run-changes.ts";
import { newIds } from "../../store/run/run-states.ts";
import type { Claim } from "../../store/worker/workers.ts";
import type { RunWork } from "./advance-runs.ts";
import { reportChanges } from "./report-changes.ts";
import type { RunContext } from "./run-context.ts";

export interface EndRecorderParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  /** Advances runs the sure way: lock, read, decide, write; and wakes for it. */
  advance(work: readonly RunWork[]): Promise<RunChange[]>;
}

/** Whose claims are to be made on the way, and the statement that makes them with the changes. */
export interface NextClaimer {
  workerId: string;
  write(changes: readonly PlannedChange[]): Promise<{ applied: Set<string>; claims: Claim[] }>;
}

export interface RecordedEnds {
  /** What was claimed on the way; the caller has to run it. */
  claims: Claim[];
  /** The statement that claims was made: not where every change went the sure way. */
  isClaimed: boolean;
  /** Changes that were written; an end that is in none of them came too late. */
  changes: RunChange[];
}

/**
 * Records the ends of attempts and takes the next ones. The fast way is one round trip: the change is computed from the states that this
 * process remembers, and the database refuses it where a state was old. What is refused, or needs to ask the database something, goes
 * the sure way. Workers of the service and external ones end their attempts here, and nowhere else.
 */
export class EndRecorder {
  readonly #parts: EndRecorderParts;

  constructor(parts: EndRecorderParts) {
    this.#parts = parts;
  }

  /** @param next absent: nothing is to be claimed */
  async record(work: readonly RunWork[], next?: NextClaimer): Promise<RecordedEnds> {
    const fast: { work: RunWork; planned: PlannedChange }[] = [];
    const slow: RunWork[] = [];
    for (const item of work) {
      // What fails here fails the sure way too, and that way knows what to do about it.
      const planned = await this.#plan(item).catch(() => undefined);
      if (planned) fast.push({ work: item, planned });
      else slow.push(item);
    }
    const { refused, ...written } = fast.length > 0 ? await this.#write(fast, next ?? this.#claimsNothing) : nothing([]);
    if (slow.length + refused.length === 0) return written;
    return { ...written, changes: [...written.changes, ...(await this.#parts.advance([...slow, ...refused]))] };
  }

  readonly #claimsNothing: NextClaimer = {
    workerId: "",
    write: async (changes) => ({ applied: await applyRunChanges(this.#parts.sql, changes), claims: [] }),
  };

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
    let { change, needs } = advance(plan, state, work.events, facts, context.types, now);
    // The next item of a forEach has no row yet. Ids are all that may be asked for without the lock of the run.
    if (needs?.ids && Object.keys(needs).length === 1) {
      facts.ids.push(...(await newIds(this.#parts.sql, needs.ids)));
      ({ change, needs } = advance(plan, state, work.events, facts, context.types, now));
    }
    return change && change.attempts.length === work.events.length ? { plan, change, drained: [] } : undefined;
  }

  async #write(
    fast: readonly { work: RunWork; planned: PlannedChange }[],
    next: NextClaimer,
  ): Promise<RecordedEnds & { refused: RunWork[] }> {
    const { context } = this.#parts;
    for (const { work } of fast) context.states.delete(work.id);
    try {
      const { applied, claims } = await next.write(fast.map(({ planned }) => planned));
      const done = fast.filter(({ work }) => applied.has(work.id)).map(({ planned }) => planned.change);
      for (const { before, after } of done) context.states.put({ ...after, stateVersion: before.stateVersion + 1 });
      for (const claim of claims) context.states.claimed(claim, next.workerId);
      reportChanges(this.#parts, done, claims);
      return { claims, isClaimed: true, changes: done, refused: fast.filter(({ work }) => !applied.has(work.id)).map(({ work }) => work) };
    } catch (error) {
      // A claim came between, or one of the changes can't be written: nothing was, and the other way finds out what is true, run by run.
      const isOwnFault = sqlState(error) === "40001" || isStatementTimeout(error) || !isOutage(error);
      if (isOwnFault) return nothing(fast.map(({ work }) => work));
      throw error;
    }
  }
}

function nothing(refused: RunWork[]): RecordedEnds & { refused: RunWork[] } {
  return { claims: [], isClaimed: false, changes: [], refused };
}

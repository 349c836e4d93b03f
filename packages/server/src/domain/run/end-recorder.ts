import type { EventBus } from "../../base/process/event-bus.ts";
import { inSlices } from "../../base/process/slices.ts";
import { advanceSteps } from "../../core/run/advance.ts";
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
  /** The slow path: locks, reads, decides and writes runs, and notifies others. */
  advance(work: readonly RunWork[]): Promise<RunChange[]>;
}

/** Who claims in the same round trip, and the statement that claims along with the changes. */
export interface NextClaimer {
  workerId: string;
  write(changes: readonly PlannedChange[]): Promise<{ applied: Set<string>; claims: Claim[] }>;
}

interface PlannedWork {
  work: RunWork;
  planned: PlannedChange;
}

export interface RecordedEnds {
  /** What was claimed in the same round trip; the caller has to run it. */
  claims: Claim[];
  /** Whether the claiming statement was executed; false if every change took the slow path. */
  isClaimed: boolean;
  /** Changes that were written; an end that is in none of them came too late. */
  changes: RunChange[];
}

/**
 * Records the ends of attempts and claims the next ones. The fast path is one round trip: the change is computed from cached states, and
 * the database refuses it if a state was outdated. Refused changes, and those that need data from the database, take the slow path (lock,
 * read, decide, write). Workers of the service and external ones end their attempts here, and nowhere else.
 */
export class EndRecorder {
  readonly #parts: EndRecorderParts;

  constructor(parts: EndRecorderParts) {
    this.#parts = parts;
  }

  /** @param next absent if nothing is to be claimed */
  async record(work: readonly RunWork[], next?: NextClaimer): Promise<RecordedEnds> {
    const fast: PlannedWork[] = [];
    const slow: RunWork[] = [];
    for (const item of work) {
      // If this fails, the slow path fails as well, and that handles the error.
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
   * The change, computed from memory; undefined if that is not possible. Each end leaves a record. If there is none, memory does not know
   * of the claim (claims change no version), and only the rows can tell whether the end counts.
   */
  async #plan(work: RunWork): Promise<PlannedChange | undefined> {
    const { context } = this.#parts;
    const state = context.states.get(work.id);
    const now = context.clock.now();
    if (!state || now === undefined) return undefined;
    const plan = await context.plans.load(this.#parts.sql, state);
    const facts = noFacts();
    let { change, needs } = await inSlices(advanceSteps(plan, state, work.events, facts, context.types, now));
    // The next item of a forEach has no row yet. Only ids may be requested without the lock of the run.
    if (needs?.ids && Object.keys(needs).length === 1) {
      facts.ids.push(...(await newIds(this.#parts.sql, needs.ids)));
      ({ change, needs } = await inSlices(advanceSteps(plan, state, work.events, facts, context.types, now)));
    }
    return change && change.attempts.length === work.events.length ? { plan, change, drained: [] } : undefined;
  }

  #write(fast: readonly PlannedWork[], next: NextClaimer): Promise<RecordedEnds & { refused: RunWork[] }> {
    const ids = fast.map(({ work }) => work.id);
    return this.#parts.context.states.keepClaims(ids, () => this.#writeNow(fast, next));
  }

  async #writeNow(fast: readonly PlannedWork[], next: NextClaimer): Promise<RecordedEnds & { refused: RunWork[] }> {
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
      // A claim happened in between, or one of the changes can't be written. Nothing was written, and the slow path resolves it run by run.
      const isOwnFault = sqlState(error) === "40001" || isStatementTimeout(error) || !isOutage(error);
      if (isOwnFault) return nothing(fast.map(({ work }) => work));
      throw error;
    }
  }
}

function nothing(refused: RunWork[]): RecordedEnds & { refused: RunWork[] } {
  return { claims: [], isClaimed: false, changes: [], refused };
}

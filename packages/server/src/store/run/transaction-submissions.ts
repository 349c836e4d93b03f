import type { Queryable, Transaction } from "../database/database.ts";
import { type EncodedRun, encodeRun, insertRuns, isLarge } from "./new-runs.ts";
import type { NewRun } from "./run-rows.ts";
import { findSubmissions, maxBatch, type Submission, SubmissionBatches, type SubmissionKey } from "./submissions.ts";

/**
 * The submissions of one transaction that makes many of them, one after the other. They share statements like submissions that arrive
 * together: what they must know is read ahead for those of the same workflow, and their runs are recorded together, at the latest when
 * something is about to read them (`written`). The transaction must call `written` before it ends.
 */
export class TransactionSubmissions extends SubmissionBatches {
  readonly #tx: Transaction;
  readonly #found = new Map<string, (Submission | undefined)[]>();
  #runs: EncodedRun[] = [];

  constructor(tx: Transaction) {
    super();
    this.#tx = tx;
  }

  /** Reads ahead what these submissions must know. */
  async readAhead(keys: readonly SubmissionKey[]): Promise<void> {
    const groups = new Map<string, SubmissionKey[]>();
    for (const key of keys) groups.set(nameOf(key), [...(groups.get(nameOf(key)) ?? []), key]);
    const read = [...groups].map(async ([name, [key, ...others]]) => {
      this.#found.set(name, await findSubmissions(this.#tx, key!, 1 + others.length));
    });
    await Promise.all(read);
  }

  override async find(db: Queryable, key: SubmissionKey): Promise<Submission | undefined> {
    return this.#found.get(nameOf(key))?.shift() ?? super.find(db, key);
  }

  /** A workflow that limits its runs counts them, also right after one was recorded. */
  override async insert(db: Queryable, run: NewRun): Promise<void> {
    const encoded = await encodeRun(run);
    const isAlone = run.plan.control !== undefined || isLarge(encoded);
    if (isAlone) await this.written();
    this.#runs.push(encoded);
    if (isAlone || this.#runs.length >= maxBatch || db !== this.#tx) await this.written();
  }

  override async written(): Promise<void> {
    const runs = this.#runs;
    this.#runs = [];
    if (runs.length > 0) await insertRuns(this.#tx, runs);
  }
}

const nameOf = ({ teamId, ref, version }: SubmissionKey) => JSON.stringify([teamId, ref, version]);

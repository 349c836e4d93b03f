import { markOf, searchedLength, shortIdOf, storedWords } from "../../../core/run/lists/search-words.ts";
import type { Database, Transaction } from "../../../store/database/database.ts";
import { isOutage } from "../../../store/database/database-error.ts";
import { transaction } from "../../../store/database/transaction.ts";
import {
  listOldRuns,
  type NotedRun,
  noteOldIndexed,
  readSearchedRuns,
  type SearchedRun,
  type SearchRow,
  takeNotes,
  tryIndexing,
  writeSearchRows,
} from "../../../store/run/lists/run-search.ts";

/** A run that starts and ends within this time is indexed once. */
const minAgeMs = 1_000;

export interface IndexRound {
  /** Runs, or notes about them, that were processed. */
  done: number;
  isMore: boolean;
  /** For how long the first of them had waited; 0 for runs that are older than the index. */
  lateMs: number;
}

/** Indexes runs that have changed, and if there are none, some that are older than the index. */
export async function indexRuns(sql: Database, limit: number, ageMs = minAgeMs): Promise<IndexRound> {
  const changed = await indexChanged(sql, limit, ageMs);
  return changed.done > 0 ? changed : indexPast(sql, limit);
}

function indexChanged(sql: Database, limit: number, ageMs: number): Promise<IndexRound> {
  return transaction(sql, async (tx) => {
    if (!(await tryIndexing(tx))) return nothing;
    const { runs, taken, lateMs } = await takeNotes(tx, limit, ageMs);
    // In a statement of its own, which sees the runs that the notes refer to.
    if (runs.length > 0) await writeSearchRows(tx, await readAll(tx, runs));
    return { done: taken, isMore: taken === limit, lateMs };
  });
}

function indexPast(sql: Database, limit: number): Promise<IndexRound> {
  return transaction(sql, async (tx) => {
    if (!(await tryIndexing(tx))) return nothing;
    const runs = await listOldRuns(tx, limit);
    const last = runs.at(-1);
    if (last === undefined) return nothing;
    await writeSearchRows(tx, await readAll(tx, runs));
    await noteOldIndexed(tx, runs.length === limit ? last.id : null);
    return { done: runs.length, isMore: runs.length === limit, lateMs: 0 };
  });
}

const nothing: IndexRound = { done: 0, isMore: false, lateMs: 0 };

/** All at once; if that fails, one by one. */
async function readAll(tx: Transaction, runs: readonly NotedRun[]): Promise<SearchRow[]> {
  const read = (some: readonly NotedRun[]) =>
    tx.savepoint(async (inner) => (await readSearchedRuns(inner as Transaction, some, searchedLength)).map(searchRow));
  try {
    return await read(runs);
  } catch (error) {
    if (isOutage(error)) throw error;
    const rows: SearchRow[] = [];
    for (const run of runs) rows.push(...(await read([run]).catch((failure: unknown) => withoutTexts(run, failure))));
    return rows;
  }
}

/**
 * An author's text may be more than the database can index. Such a run is found only by the short form of its id, and does not hold up the
 * others.
 */
function withoutTexts({ teamId, id }: NotedRun, failure: unknown): SearchRow[] {
  if (isOutage(failure)) throw failure;
  return [{ teamId, id, words: storedWords([shortIdOf(id)], [markOf.teamIds(teamId)]) }];
}

function searchRow(run: SearchedRun): SearchRow {
  const { teamId, id, status, trigger, workflowId, initiatedBy, initiatorName, labels, texts } = run;
  const marks = [markOf.teamIds(teamId), markOf.workflowIds(workflowId), markOf.statuses(status), markOf.triggers(trigger)];
  if (initiatedBy !== null) marks.push(markOf.initiators(initiatedBy));
  const pairs = Object.entries(labels).map(([key, value]) => `${key} ${value}`);
  return { teamId, id, words: storedWords([shortIdOf(id), status, initiatorName ?? "", ...pairs, ...texts.split("\n")], marks) };
}

import type { Queryable, Transaction } from "../../database/database.ts";

/** Runs that collect events before they start: how submissions call store/functions/collect-events.sql. */

/** The run of all events of a workflow with that key. */
interface CollectionKey {
  teamId: string;
  workflowId: string;
  key: string;
}

/** One event, in the form that the functions of the database read. */
export interface CollectedEvent {
  /** ID of the version of the workflow; events of different versions have different runs. */
  version: string;
  kind: "debounce" | "batch";
  /** Of a batch, like the next three. */
  param?: string;
  size?: number;
  payload?: unknown;
  /** Of the list, in bytes of JSON. */
  max_bytes: number;
  /** The run starts after so long without an event, or so long after the first event. */
  ms: number;
  last_ms: number;
  by_whom: string | null;
  lineage: readonly string[];
}

/** The run that an event was added to. */
export interface JoinedRun {
  runId: string;
  createdAt: Date;
}

/**
 * Adds an event to the run of its key. Until the transaction ends, nothing else is added to that key, and the run can't start or end.
 *
 * @returns undefined if no run accepts it: then the caller records one, and opens it
 */
export async function joinCollection(tx: Transaction, of: CollectionKey, event: CollectedEvent): Promise<JoinedRun | undefined> {
  const [row] = await tx<{ joined: { runId: string; createdAt: string } | null }[]>`
    select join_collection(${of.teamId}, ${of.workflowId}, ${of.key}, ${eventText(event)}::json) as joined`;
  return row?.joined ? { runId: row.joined.runId, createdAt: new Date(row.joined.createdAt) } : undefined;
}

/** After `joinCollection` has found none, in its transaction. The run is in the database already, held for `events`. */
export async function openCollection(
  tx: Transaction,
  of: CollectionKey & { runId: string },
  event: CollectedEvent & { limits: unknown },
): Promise<void> {
  await tx`select open_collection(${of.teamId}, ${of.workflowId}, ${of.key}, ${of.runId}, ${eventText(event)}::json)`;
}

/** When the run is released, it requests what its last event asks for. */
export async function setCollectionLimits(tx: Transaction, teamId: string, runId: string, limits: unknown): Promise<void> {
  await tx`
    update run_collection set limits = ${limits === undefined ? null : JSON.stringify(limits)}::json
    where team_id = ${teamId} and run_id = ${runId}`;
}

/** The run stops collecting events. The caller may hold locks that come before that of a run. */
export async function closeCollection(tx: Queryable, teamId: string, runId: string): Promise<void> {
  await tx`
    with locked as materialized (select team_id, id from run where id = ${runId} and (team_id = ${teamId}) is true for no key update)
    select let_collection_go(team_id, id) from locked`;
}

function eventText(event: object): string {
  return JSON.stringify(event);
}

import { limitKey, limitsOf, queueRankOf, rankOf } from "../../../core/run/limits/run-limits.ts";
import type { CollectControl, RunControl } from "../../../core/workflow/run-control.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { insertAnswers } from "../../../store/database/idempotency.ts";
import { type CollectedEvent, joinCollection, openCollection, setCollectionLimits } from "../../../store/run/limits/run-collections.ts";
import { updateQueuedRun } from "../../../store/run/queue/queued-runs.ts";
import { answerJoined, type RecordedRun, type RunRecord, recordHeld } from "../record-run.ts";
import type { RunContext } from "../run-context.ts";
import { sealRunSecrets } from "../run-layers.ts";
import type { MonthlyQuota } from "./check-quotas.ts";

/**
 * Events that are collected into one run (docs/concurrency.md): the first event of a key records the run, on hold for `events`, and the next
 * ones are added to it. All of it is in the transaction of the event, under the lock of the key, so no event is lost and none is in two runs.
 */

/** 4 MiB: the limit of a task's parameters. No task could read a longer list. */
const maxListBytes = 4_194_304;

export interface EventOfRun {
  control: RunControl & { collect: CollectControl };
  /** The record of a run with that id and the parameters of this event. */
  recordFor(runId: string): RunRecord;
  /** What this event adds to the list of a batch. */
  entry: Record<string, unknown> | undefined;
  /** Checks the quotas, which apply only if a new run is needed. */
  checkQuotas(): Promise<MonthlyQuota | undefined>;
}

/**
 * @returns the run that contains the event, as the response shows it: with the parameters of this event only, since its sender must not see
 * those of others
 */
export async function collectEvent(tx: Transaction, context: RunContext, newRunId: string, event: EventOfRun): Promise<RecordedRun> {
  const { control, recordFor } = event;
  const record = recordFor(newRunId);
  const { teamId, workflowId, layers } = record.content;
  const { key } = limitKey(control.collect.key, `${control.collect.kind}.key`, layers);
  const row = rowOfEvent(record, event);
  const joined = await joinCollection(tx, { teamId, workflowId, key }, row);
  if (!joined) {
    const run = await recordHeld(tx, context, { ...record, monthly: await event.checkQuotas() });
    await openCollection(tx, { teamId, workflowId, key, runId: run.id }, { ...row, limits: limitsFor(control, record) });
    return run;
  }
  const own = recordFor(joined.runId);
  if (control.collect.kind === "debounce") await replaceRun(tx, context, control, own);
  const answered = await answerJoined(context, { ...own, now: joined.createdAt });
  const { audit, keep } = own;
  if (audit) await insertAudit(tx, audit(answered.id));
  if (keep) await insertAnswers(tx, [keep(answered.row)]);
  return answered;
}

/** A debounced run is the run of its last event. */
async function replaceRun(tx: Transaction, context: RunContext, control: RunControl, record: RunRecord): Promise<void> {
  const { content, labels, annotations, params, workspaces, debug } = record;
  const { teamId, layers, timeoutMinutes, retries } = content;
  const runId = record.ids[0] as string;
  const secrets = sealRunSecrets(context.keyring, teamId, runId, record.secrets);
  const queueRank = queueRankOf(runId, record.priority ?? control.priority) ?? null;
  const change = { labels, annotations, params, layers, secrets, workspaces, timeoutMinutes, retries, debug, queueRank };
  await updateQueuedRun(tx, teamId, runId, { ...change, by: null });
  await setCollectionLimits(tx, teamId, runId, limitsFor(control, record));
}

function limitsFor(control: RunControl, { ids, content, priority }: RunRecord) {
  return limitsOf(control, content.layers, rankOf(ids[0] as string, priority ?? control.priority));
}

function rowOfEvent({ content, initiatedBy }: RunRecord, { control: { collect }, entry }: EventOfRun): CollectedEvent {
  const { workflowVersionId: version, lineage } = content;
  const shared = { version, kind: collect.kind, ms: collect.periodMs, max_bytes: maxListBytes, by_whom: initiatedBy, lineage };
  if (collect.kind === "debounce") return { ...shared, last_ms: collect.maxWaitMs };
  return { ...shared, last_ms: collect.periodMs, param: collect.param, size: collect.size, payload: entry };
}

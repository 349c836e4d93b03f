import { isFinal, type Status } from "@millrace/contract/status.ts";
import { inboundOutcome } from "../../core/inbound/inbound-events.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import { lineageFault, lineageFaultText } from "../../core/run/lineage.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import {
  type EndedRun,
  findEndedRun,
  findWorkflowNames,
  insertOutcomeStarts,
  type NewOutcomeStart,
} from "../../store/run/outcome-starts.ts";
import { findRunEndEvent } from "../../store/run/run-events.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import { listTriggeredWorkflows } from "../../store/workflow/triggered-workflows.ts";
import type { Reaction } from "../outbound/reaction.ts";
import type { RecordedRun } from "../run/record-run.ts";
import { reportSubmitted } from "../run/report-changes.ts";
import type { RunContext } from "../run/run-context.ts";
import { findFitting } from "./find-fitting.ts";
import { startTriggered, type TriggerEvent } from "./start-triggered.ts";

/**
 * The end of a run starts the workflows of its team whose trigger `workflow` matches. The caller's transaction also marks the change as
 * processed, and the key of `outcome_start` allows one row for each run and workflow: so each is started exactly once, even if a process
 * dies at any point.
 *
 * Chains end: a workflow in the lineage of the run (core/run/lineage.ts) is not started again, and the length of a lineage is limited. A
 * start that is refused, for this or another reason, is recorded with its reason, and does not affect the others.
 *
 * A failed or timed out run that is retried automatically has not ended yet: its last attempt counts.
 */

function isRunEnd({ kind, status }: ChangeEvent): boolean {
  return kind === "workflowrun" && isFinal(status as Status);
}

/**
 * @param options isLastTry: the run will not be retried, although it has retries left
 * @returns the runs that were submitted; they wait in the queue
 */
async function startByOutcome(
  tx: Transaction,
  context: RunContext,
  change: ChangeEvent,
  options: { isLastTry: boolean } = { isLastTry: false },
): Promise<RecordedRun[]> {
  const { teamId, objectId: runId } = change;
  if (teamId === null || !isRunEnd(change)) return [];
  const event = triggerEventOf(context, change);
  const fitting = await findFitting(await listTriggeredWorkflows(tx, "workflow", [teamId]), event);
  const run = fitting.length > 0 ? await findEndedRun(tx, teamId, runId) : undefined;
  if (!run || (!options.isLastTry && isTriedAgain(change, run))) return [];
  const barred = await whyBarred(tx, teamId, run, fitting);
  const { runs, refused } = await startTriggered(
    tx,
    context,
    fitting.filter(({ id }) => !barred.has(id)),
    { ...event, lineage: run.chain },
  );
  const starts: NewOutcomeStart[] = [
    ...runs.map((started) => ({ workflowId: started.workflowId, outcome: "submitted" as const, runId: started.id, message: null })),
    ...refused.map(({ workflowRef, message }) => ({ workflowId: workflowRef, outcome: "refused" as const, runId: null, message })),
    ...barred.values(),
  ];
  await insertOutcomeStarts(tx, teamId, runId, run.chain, starts);
  return runs;
}

function triggerEventOf({ publicUrl }: RunContext, change: ChangeEvent): TriggerEvent {
  return { ...inboundOutcome(change, publicUrl), trigger: "workflow", initiatedBy: `run:${change.objectId}`, lineage: change.lineage };
}

/** It failed, and is retried automatically, so it has not ended yet. */
export function isTriedAgain({ status }: Pick<ChangeEvent, "status">, { retries, retryCount }: EndedRun): boolean {
  return (status === "failed" || status === "timedout") && retryCount < retries;
}

/** The workflows that would create a loop or too long a chain, by their ids. */
export async function whyBarred(
  db: Queryable,
  teamId: string,
  { chain }: Pick<EndedRun, "chain">,
  workflows: readonly WorkflowReference[],
): Promise<Map<string, NewOutcomeStart>> {
  const barred = workflows.flatMap(({ id, name }) => {
    const outcome = lineageFault(chain, id);
    return outcome === undefined ? [] : [{ id, name, outcome }];
  });
  if (barred.length === 0) return new Map();
  const names = await findWorkflowNames(db, teamId, chain);
  return new Map(
    barred.map(({ id, name, outcome }): [string, NewOutcomeStart] => {
      const message = lineageFaultText(outcome, name, chain, names);
      return [id, { workflowId: id, outcome, runId: null, message }];
    }),
  );
}

/** The ends of runs start other workflows. */
export const outcomeReaction: Reaction = {
  name: "workflow triggers",
  concerns: isRunEnd,
  async react(tx, event, { context, bus, afterCommit }) {
    const started = await startByOutcome(tx, context, event);
    afterCommit(() => {
      for (const run of started) reportSubmitted({ bus, context }, run);
    });
  },
};

/** The automatic retry of a run was refused, so the try before it was the last one after all. Its end counts now. */
export async function startAfterRefusedRetry(tx: Transaction, context: RunContext, teamId: string, runId: string): Promise<RecordedRun[]> {
  const change = await findRunEndEvent(tx, teamId, runId);
  return change ? startByOutcome(tx, context, change, { isLastTry: true }) : [];
}

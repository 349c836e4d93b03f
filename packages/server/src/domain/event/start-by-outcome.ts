import { isFinal, type Status } from "@millrace/contract/status.ts";
import { arrivedOutcome } from "../../core/arrivals.ts";
import type { ChangeEvent } from "../../core/delivery/change-event.ts";
import { unmetCondition } from "../../core/trigger-conditions.ts";
import type { Queryable, Transaction } from "../../store/database.ts";
import type { WorkflowReference } from "../../store/directory.ts";
import { type EndedRun, findEndedRun, findWorkflowNames, insertOutcomeStarts, type NewOutcomeStart } from "../../store/outcome-starts.ts";
import { listTriggeredWorkflows } from "../../store/triggered-workflows.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { type Arrival, startTriggered } from "./start-triggered.ts";

/**
 * The end of a run starts the workflows of its team whose trigger `workflow` fits. The caller's transaction also marks the change as seen,
 * and the key of `outcome_start` takes one row for each run and workflow: so each is started once, whoever dies at whichever line.
 *
 * Chains end. A run knows the workflows that led to it: that of the run whose end started it, that of the run which runs it as its child,
 * and theirs in turn. A workflow that is among them is not started again, and no chain gets longer than `maxChain`. What is not started
 * for this or another reason is recorded with it, and does not stop the others.
 *
 * A run that failed or timed out and is tried again by itself has not come to its end: the last of its tries counts.
 */

/** Workflows in a row, the first cause included. */
const maxChain = 10;

export function isRunEnd({ kind, status }: ChangeEvent): boolean {
  return kind === "workflowrun" && isFinal(status as Status);
}

/**
 * @param options isLastTry: the run will not be tried again, although it has retries left
 * @returns the runs that were submitted; they wait in the queue
 */
export async function startByOutcome(
  tx: Transaction,
  context: RunContext,
  change: ChangeEvent,
  options: { isLastTry: boolean } = { isLastTry: false },
): Promise<RecordedRun[]> {
  const { teamId, objectId: runId } = change;
  if (teamId === null || !isRunEnd(change)) return [];
  const arrival = arrivalOf(context, change);
  const fitting = (await listTriggeredWorkflows(tx, "workflow", [teamId])).filter(
    ({ trigger }) => unmetCondition(trigger, arrival) === undefined,
  );
  const run = fitting.length > 0 ? await findEndedRun(tx, teamId, runId) : undefined;
  if (!run || (!options.isLastTry && isTriedAgain(change, run))) return [];
  const barred = await whyBarred(tx, teamId, run, fitting);
  const { runs, refused } = await startTriggered(
    tx,
    context,
    fitting.filter(({ id }) => !barred.has(id)),
    arrival,
  );
  const starts: NewOutcomeStart[] = [
    ...runs.map((started) => ({ workflowId: started.workflowId, outcome: "submitted" as const, runId: started.id, message: null })),
    ...refused.map(({ workflowRef, message }) => ({ workflowId: workflowRef, outcome: "refused" as const, runId: null, message })),
    ...barred.values(),
  ];
  await insertOutcomeStarts(tx, teamId, runId, run.chain, starts);
  return runs;
}

function arrivalOf({ publicUrl }: RunContext, change: ChangeEvent): Arrival {
  return { ...arrivedOutcome(change, publicUrl), trigger: "workflow", initiatedBy: `run:${change.objectId}` };
}

/** It failed, and is tried again by itself: that end is none yet. */
export function isTriedAgain({ status }: Pick<ChangeEvent, "status">, { retries, retryCount }: EndedRun): boolean {
  return (status === "failed" || status === "timedout") && retryCount < retries;
}

/** The workflows that would make a loop or too long a chain, by their ids. */
export async function whyBarred(
  db: Queryable,
  teamId: string,
  { chain }: Pick<EndedRun, "chain">,
  workflows: readonly WorkflowReference[],
): Promise<Map<string, NewOutcomeStart>> {
  const isTooLong = chain.length >= maxChain;
  const barred = workflows.filter(({ id }) => isTooLong || chain.includes(id));
  if (barred.length === 0) return new Map();
  const names = await findWorkflowNames(db, teamId, chain);
  const way = chain.map((id) => names.get(id) ?? id).join(" → ");
  return new Map(
    barred.map(({ id, name }): [string, NewOutcomeStart] => {
      const isLoop = chain.includes(id);
      const message = isLoop
        ? `Workflow ${name} is among those that led here (${way}); starting it would be a loop`
        : `A chain of workflows that start each other has at most ${maxChain} (${way})`;
      return [id, { workflowId: id, outcome: isLoop ? "loop" : "tooLong", runId: null, message }];
    }),
  );
}

import type { RunParam } from "@millrace/contract/common.ts";
import type { RefusedRun } from "@millrace/contract/inbound/event.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { InboundEvent } from "../../core/inbound/trigger-conditions.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { insertCodehostReport, type NewCodehostReport } from "../../store/integration/codehost-reports.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import type { TriggeredWorkflow } from "../../store/workflow/triggered-workflows.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { type SubmitInput, submitRun } from "../run/submit-run.ts";
import { findFitting } from "./find-fitting.ts";

/** Something that may start workflows. */
export interface TriggerEvent extends InboundEvent {
  trigger: "event" | "webhook" | "codehost" | "workflow";
  params: RunParam[];
  initiatedBy: string;
  /** The workflows that led to it. */
  lineage: Lineage;
  /** Same as in SubmitInput. */
  traceparent?: string | undefined;
  /** Where the status of runs can be reported, for workflows that ask for it. */
  reportTo?: Pick<NewCodehostReport, "installationRef" | "owner" | "repository" | "sha"> | undefined;
  /** Undefined if the service keeps a record of its own. */
  audit?(workflow: WorkflowReference): (runId: string) => AuditRecord;
}

/**
 * Submits the one workflow that it is addressed to.
 *
 * @param keep the response to store with the run
 * @throws what a submission throws; also WORKFLOWRUN_TRIGGER_DISABLED if the trigger does not match
 */
export function startWorkflow(
  db: Queryable,
  context: RunContext,
  workflow: WorkflowReference,
  event: TriggerEvent,
  keep?: SubmitInput["keep"],
): Promise<RecordedRun> {
  return submitRun(db, context, { ...submissionOf(workflow, event), keep });
}

function submissionOf(workflow: WorkflowReference, event: TriggerEvent): SubmitInput {
  return {
    teamId: workflow.teamId,
    workflow: workflow.id,
    request: { trigger: event.trigger, params: event.params },
    start: false,
    isEvent: true,
    initiatedBy: event.initiatedBy,
    arrived: event,
    lineage: event.lineage,
    traceparent: event.traceparent,
    refusesLoops: true,
    ...(event.audit && { audit: event.audit(workflow) }),
  };
}

/**
 * Submits each of the workflows whose conditions hold. One that can't be submitted (a quota, a required parameter) is named and does not
 * affect the others: each has a savepoint of its own.
 */
export async function startTriggered(
  tx: Transaction,
  context: RunContext,
  workflows: readonly TriggeredWorkflow[],
  event: TriggerEvent,
): Promise<{ runs: RecordedRun[]; refused: RefusedRun[] }> {
  const runs: RecordedRun[] = [];
  const refused: RefusedRun[] = [];
  for (const workflow of await findFitting(workflows, event)) {
    const outcome = await tx.savepoint((inner) => startReported(inner as Transaction, context, workflow, event)).catch(asRefusal);
    if (!(outcome instanceof AppError)) runs.push(outcome as RecordedRun);
    else refused.push({ workflowRef: workflow.id, workflowName: workflow.name, reason: outcome.reason, message: outcome.message });
  }
  return { runs, refused };
}

/** Records the run, and that it is to be reported. The run is still in the queue, so the report can't miss anything. */
async function startReported(tx: Transaction, context: RunContext, workflow: TriggeredWorkflow, event: TriggerEvent): Promise<RecordedRun> {
  const run = await startWorkflow(tx, context, workflow, event);
  if (!workflow.trigger.reportStatus || !event.reportTo) return run;
  const name = `${run.layers.context?.["team-name"]}/${workflow.name}`;
  await insertCodehostReport(tx, { ...event.reportTo, teamId: run.teamId, runId: run.id, name });
  return run;
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

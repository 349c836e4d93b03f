import type { WorkflowRun } from "@millrace/contract/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { type DeliveryKey, keptWith } from "../../domain/inbound/answer-once.ts";
import { startWorkflowAlone, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import type { Database, Transaction } from "../../store/database/database.ts";
import { sqlState } from "../../store/database/transaction.ts";
import type { RunRow } from "../../store/run/runs.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import type { Context } from "../endpoint.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewSubmitted } from "../run/run.view.ts";

type StartContext = Pick<Context<unknown, unknown, unknown, Transaction>, "db" | "principal" | "services" | "afterCommit">;

/**
 * Starts one workflow in two statements without a transaction: what a submission must know, then the run together with the answer that a
 * repetition is to get. Undefined when the delivery needs the longer way (answer-once.ts), which takes a claim first: it has been answered
 * already, is being answered at this moment, or is refused now and may have been answered before.
 */
export async function startAlone(
  { db, principal, services, afterCommit }: StartContext,
  workflow: WorkflowReference,
  arrival: TriggerEvent,
  delivery: DeliveryKey | undefined,
): Promise<WorkflowRun | undefined> {
  try {
    const view = (row: RunRow) => viewSubmitted(row, principal);
    const keep = delivery && keptWith(delivery, view);
    const run = await startWorkflowAlone(db as unknown as Database, services.runs, workflow, arrival, keep);
    afterCommit(() => publishSubmitted(services, run));
    return view(run.row);
  } catch (error) {
    if (delivery && (error instanceof AppError || sqlState(error) === uniqueViolation)) return undefined;
    throw error;
  }
}

const uniqueViolation = "23505";

import type { Transaction } from "../../store/database/database.ts";
import { findRunEndEvent } from "../../store/run/run-end-events.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { startByOutcome } from "./start-by-outcome.ts";

/** The automatic retry of a run was refused: the try that was believed not to be the last one was. Its end counts after all. */
export async function startAfterRefusedRetry(tx: Transaction, context: RunContext, teamId: string, runId: string): Promise<RecordedRun[]> {
  const change = await findRunEndEvent(tx, teamId, runId);
  return change ? startByOutcome(tx, context, change, { isLastTry: true }) : [];
}

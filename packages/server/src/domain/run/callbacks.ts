import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { Transaction } from "../../store/database/database.ts";
import { hasEvent, insertEvent, type NewEvent } from "../../store/run/run-events.ts";
import { advanceRuns } from "./advance-runs.ts";
import type { RunContext } from "./run-context.ts";

const purpose = "callback of a run";

/** The URL for one topic of one run, which needs no credential. Its holder can call it and do nothing else. */
export function callbackUrl({ keyring, publicUrl }: { keyring: Keyring; publicUrl: string }, runId: string, topic: string): string {
  const signature = keyring.sign(signedText(runId, topic), purpose);
  return `${publicUrl}/api/v2/callback?ref=${runId}&topic=${encodeURIComponent(topic)}&signature=${signature}`;
}

export function isCallbackSigned(keyring: Keyring, runId: string, topic: string, signature: string): boolean {
  return keyring.isSigned(signedText(runId, topic), purpose, signature);
}

/** The part of a callback URL that must stay hidden; undefined for other texts. */
export function signatureOfUrl(text: string): string | undefined {
  return /&signature=([\w-]+)$/.exec(text)?.[1];
}

function signedText(runId: string, topic: string): string {
  return JSON.stringify([runId.toLowerCase(), topic]);
}

/**
 * Stores a callback and releases the task runs that wait for its topic, in one transaction. The event is inserted before the run's lock is
 * taken, and a waiting task checks for events under that lock. So either the task finds the event, or the callback finds the task.
 *
 * A finished run can't change any more, and the sender should know that (WORKFLOWRUN_INVALID_PHASE). Only a sender that repeats an earlier
 * delivery gets the same response again, because unreliable networks cause repetitions.
 */
export async function deliverCallback(tx: Transaction, context: RunContext, callback: NewEvent): Promise<RunChange> {
  const { teamId, runId, topic, status, payload } = callback;
  const isRepeated = await hasEvent(tx, callback);
  await insertEvent(tx, callback);
  const [change] = await advanceRuns(tx, context, [{ teamId, id: runId, events: [{ kind: "callback", topic, status, payload }] }]);
  if (!change) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
  if (isRunOver(change.before) && !isRepeated) {
    throw new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, `finished (${change.before.status})`, "queued or running"]);
  }
  return change;
}

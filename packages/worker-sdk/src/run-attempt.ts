import { AttemptLog } from "./attempt-log.ts";
import type { Claim, Outcome, Protocol } from "./protocol.ts";
import { checkParams, MachineFault, type Task, TerminalError } from "./task.ts";

/** One attempt that runs here. */
export interface RunningAttempt {
  claim: Claim;
  startedAt: number;
  /** Never rejects. */
  done: Promise<Outcome>;
  /** The attempt no longer belongs to this worker, or must end: its result is ignored then. */
  stop(why: string): void;
}

export function runAttempt(protocol: Protocol, task: Task, claim: Claim, worker: () => string | undefined): RunningAttempt {
  const abort = new AbortController();
  const log = new AttemptLog(protocol, claim, worker);
  const deadline = claim.deadline === null ? undefined : new Date(claim.deadline);
  const stop = (why: string) => abort.abort(new Error(why));
  const leftMs = deadline && Math.max(0, deadline.getTime() - Date.now());
  // For times longer than a timer allows, the heartbeat reports the timeout.
  const timer = leftMs !== undefined && leftMs < 2 ** 31 ? setTimeout(() => stop("the attempt has timed out"), leftMs) : undefined;
  const { task: name, params, runId, id, attempt, losses, traceparent } = claim;
  const context = {
    ...{ task: name, name: claim.name, id, runId, attempt, losses, deadline, traceparent },
    signal: abort.signal,
    log: (text: string) => log.add(text),
  };
  const call = async () => (typeof task === "function" ? task(params, context) : task.run(checkParams(task, params), context));
  const done = call()
    .then(resultsOf, failureOf)
    .then(async (outcome): Promise<Outcome> => {
      clearTimeout(timer);
      const lines = await log.close();
      return { id, attempt, ...outcome, ...(lines.length > 0 && { lines }) };
    });
  return { claim, startedAt: performance.now(), done, stop };
}

type End = Omit<Outcome, "id" | "attempt">;

/** An object contains the results by name; any other value becomes the result named `result`. */
function resultsOf(value: unknown): End {
  if (value === undefined || value === null) return { status: "succeeded" };
  const isByName = typeof value === "object" && !Array.isArray(value);
  const results = isByName ? (value as Record<string, unknown>) : { result: value };
  try {
    return { status: "succeeded", results: JSON.parse(JSON.stringify(results)) };
  } catch (error) {
    return failureOf(new TerminalError(`what the task returned can't be written as JSON: ${messageOf(error)}`));
  }
}

function failureOf(error: unknown): End {
  const message = messageOf(error).slice(0, 2000);
  if (error instanceof MachineFault) return { status: "released", fault: true, message };
  return { status: "failed", message, ...(error instanceof TerminalError && { retry: false }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

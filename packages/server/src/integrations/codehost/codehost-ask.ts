import { setTimeout as pause } from "node:timers/promises";
import type { Octokit } from "octokit";
import { type CodehostCall, CodehostError } from "./codehost-error.ts";
import { toCodehostError } from "./codehost-refusal.ts";

/** The time limit of one operation, including its retries and pages; a request to us waits for it. */
const maxOperationMs = 6000;
/** The time limit of one call. */
const maxCallMs = 5000;
/** A pause that the platform requests is waited for if it is this short; otherwise the caller gets an error. */
const maxPauseMs = 2000;
const maxTries = 3;

/** The remaining time of an operation. */
export class Budget {
  readonly #endsAt: number;

  constructor(maxMs = maxOperationMs) {
    this.#endsAt = performance.now() + maxMs;
  }

  get leftMs(): number {
    return this.#endsAt - performance.now();
  }
}

export interface CodehostAnswer {
  data: unknown;
  /** Contains a `rel="next"` if there are more pages. */
  link: string | undefined;
}

/**
 * One call, with limited retries: at most three tries, a pause requested by the platform (`Retry-After`, secondary limits) of at most two
 * seconds, and never beyond the budget.
 *
 * @throws CodehostError
 */
export async function askCodehost(octokit: Octokit, call: CodehostCall, budget: Budget): Promise<CodehostAnswer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(octokit, call, budget);
    } catch (error) {
      const failure = toCodehostError(error, call);
      const pauseMs = pauseBefore(failure, call, tries);
      if (pauseMs === undefined || pauseMs >= budget.leftMs || call.signal?.aborted) throw failure;
      await pause(pauseMs, undefined, call.signal && { signal: call.signal }).catch(() => {
        throw failure;
      });
    }
  }
}

async function askOnce(octokit: Octokit, { route, parameters, signal }: CodehostCall, budget: Budget): Promise<CodehostAnswer> {
  if (budget.leftMs <= 0) throw new CodehostError("unavailable", "it takes too long to respond; try again later");
  const timeLimit = AbortSignal.timeout(Math.min(maxCallMs, Math.ceil(budget.leftMs)));
  const request = { signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit };
  const { data, headers } = await octokit.request(route, { ...parameters, request });
  return { data, link: headers.link };
}

/** Undefined: no retry. */
function pauseBefore({ fault, retryAfterMs }: CodehostError, { isRepeatable }: CodehostCall, tries: number): number | undefined {
  if (tries >= maxTries) return undefined;
  // A rate-limited call was not executed, so any call may be retried.
  if (fault === "limited") return retryAfterMs !== undefined && retryAfterMs <= maxPauseMs ? retryAfterMs : undefined;
  return fault === "unavailable" && isRepeatable ? 100 * tries ** 2 : undefined;
}

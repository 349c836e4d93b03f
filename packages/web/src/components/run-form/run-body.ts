import type { SubmitRequest } from "./use-run-submission.ts";

/** What can be said of a run beside its parameters. Empty means: as the workflow has it. */
export interface RunOptions {
  isStartedNow: boolean;
  /** Each `KEY=VALUE`. */
  labels: string[];
  version: string;
  timeout: string;
  retries: string;
  isDebug: boolean;
}

export const noOptions: RunOptions = { isStartedNow: false, labels: [], version: "", timeout: "", retries: "", isDebug: false };

/** `a=b=c` is the key `a` with the value `b=c`; without a sign the value is empty. */
export function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The body of a submission: only what differs from the workflow. */
export function bodyOf(params: { name: string; value: unknown }[], options: RunOptions): SubmitRequest {
  const { labels, version, timeout, retries, isDebug } = options;
  return {
    trigger: "manual",
    ...(params.length > 0 && { params }),
    ...(labels.length > 0 && { labels: labelsOf(labels) }),
    ...(version !== "" && { workflowVersion: Number(version) }),
    ...(timeout !== "" && { timeout: Number(timeout) }),
    ...(retries !== "" && { retries: Number(retries) }),
    ...(isDebug && { debug: true }),
  };
}

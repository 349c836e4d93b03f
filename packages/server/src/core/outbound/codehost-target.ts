import type { FinalStatus, Status } from "@millrace/contract/status.ts";

/** A run whose progress is shown at a commit of the codehost. */
export interface CodehostReport {
  teamId: string;
  runId: string;
  /** The platform's number of the installation. */
  installationRef: string;
  owner: string;
  repository: string;
  sha: string;
  /** The name of the check at the commit. */
  name: string;
  /** The platform's number of the check run; null until it exists. */
  checkRunId: number | null;
}

/** The codehost's address, and the app that reports. The app's key is a secret. */
export interface CodehostTarget extends CodehostReport {
  app: { apiUrl: string; appId: string; pem: string };
}

/** The status of a run in the terms of the codehost: as a check, and as the older commit status if the app may not write checks. */
export interface CodehostCheck {
  status: "in_progress" | "completed";
  conclusion?: "success" | "failure" | "cancelled" | "timed_out" | "skipped";
  state: "pending" | "success" | "failure" | "error";
  /** The text that people see. */
  title: string;
}

const ended: Readonly<Record<FinalStatus, Omit<CodehostCheck, "status">>> = {
  succeeded: { conclusion: "success", state: "success", title: "The run succeeded" },
  failed: { conclusion: "failure", state: "failure", title: "The run failed" },
  invalid: { conclusion: "failure", state: "failure", title: "The run is invalid" },
  skipped: { conclusion: "skipped", state: "success", title: "The run was skipped" },
  cancelled: { conclusion: "cancelled", state: "error", title: "The run was cancelled" },
  timedout: { conclusion: "timed_out", state: "error", title: "The run exceeded its time limit" },
};

/** Undefined for what is not reported: a run that waits in the queue, or for someone. */
export function codehostCheck(status: string): CodehostCheck | undefined {
  if (status === ("running" satisfies Status)) return { status: "in_progress", state: "pending", title: "The run is under way" };
  return Object.hasOwn(ended, status) ? { status: "completed", ...ended[status as FinalStatus] } : undefined;
}

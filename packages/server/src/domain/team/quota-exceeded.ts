import type { QuotaName } from "@millrace/contract/team/quota.ts";
import { AppError } from "../../base/error/app-error.ts";

const units: Record<QuotaName, string> = {
  maxWorkflowCount: "workflows",
  maxWorkflowRunMonthly: "runs this month",
  maxConcurrentRuns: "runs at a time",
  maxWaitingRuns: "waiting runs",
  maxWorkflowRunDuration: "minutes",
  maxWorkflowStorage: "Gi for the workspace of a workflow",
  maxWorkflowRunStorage: "Gi for the workspace of a run",
};

/** The refusal by a quota: which one, of which team, the usage or the requested amount, and the limit. */
export function quotaExceeded(
  quota: QuotaName,
  { team, used, max, retryAfterSeconds }: { team: string; used: number | string; max: number; retryAfterSeconds?: number },
): AppError {
  const values = [quota, team, used, `${max} ${units[quota]}`];
  return new AppError("QUOTA_EXCEEDED", values, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

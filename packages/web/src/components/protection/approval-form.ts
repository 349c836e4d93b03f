import { t } from "../../texts/workflow/protection.ts";

/** Who approves, as the forms of workflows, secrets and teams hold it. */
export interface ApprovalValues {
  /** The id; empty: none is selected. */
  approverGroup: string;
  /** Empty while the user types another number. */
  approvalsRequired: number | string;
}

interface InForce {
  approverGroupRef: string | null;
  approvalsRequired: number | null;
}

export function approvalValues(inForce: InForce | undefined): ApprovalValues {
  return { approverGroup: inForce?.approverGroupRef ?? "", approvalsRequired: inForce?.approvalsRequired ?? 1 };
}

export const approvalRules = { approverGroup: (group: string) => (group === "" ? t("approvalFields.chooseGroup") : null) };

export const approvalPlaces = { "/approverGroup": "approverGroup", "/approvalsRequired": "approvalsRequired" };

/** In the format of the API. */
export function approvalRequest<Values extends ApprovalValues>(values: Values): Values & { approvalsRequired: number } {
  return { ...values, approvalsRequired: Number(values.approvalsRequired) || 1 };
}

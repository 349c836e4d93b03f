import { t } from "../../texts/workflow/protection.ts";

/** Who approves, as forms of workflows, secrets and teams ask for it. */
export interface ApprovalValues {
  /** ID; empty: none is chosen. */
  approverGroup: string;
  /** Empty while another number is typed. */
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

/** As the service takes them. */
export function approvalRequest<Values extends ApprovalValues>(values: Values): Values & { approvalsRequired: number } {
  return { ...values, approvalsRequired: Number(values.approvalsRequired) || 1 };
}

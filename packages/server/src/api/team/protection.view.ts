import type { ProtectionRow } from "../../store/workflow/protections.ts";

/** Whose approval is needed, as responses about workflows, teams and secrets show it. */
export function viewProtection(row: ProtectionRow | undefined) {
  return {
    protected: row !== undefined,
    approverGroupRef: row?.approverGroupId ?? null,
    approverGroupName: row?.approverGroupName ?? null,
    approvalsRequired: row?.approvals ?? null,
  };
}

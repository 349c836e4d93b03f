import type { WorkflowRun } from "@millrace/contract/run.ts";
import { parseInitiator } from "../../core/run/initiator.ts";

/** @param stored null when it was not recorded  @param name null when who or what it names is gone */
export function viewInitiator(
  stored: string | null,
  name: string | null,
): Pick<WorkflowRun, "initiatedByRef" | "initiatedByType" | "initiatedByName"> {
  if (stored === null) return {};
  const { type, ref } = parseInitiator(stored);
  return { ...(ref !== null && { initiatedByRef: ref }), initiatedByType: type, ...(name !== null && { initiatedByName: name }) };
}

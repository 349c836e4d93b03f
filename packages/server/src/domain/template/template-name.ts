import { maxWorkflowNameLength } from "@millrace/contract/workflow.ts";
import { reservedTemplateNames } from "@millrace/contract/workflow-template.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../store/team/directory.ts";

/**
 * Letters, digits and hyphen; kept as it is written, and compared whatever the case.
 *
 * @throws TASK_INVALID_NAME, TASK_ALREADY_EXISTS (reserved)
 */
export function checkTemplateName(name: string): void {
  const isValid = /^[0-9A-Za-z-]+$/.test(name) && /[0-9A-Za-z]/.test(name) && name.length <= maxWorkflowNameLength && !isId(name);
  if (!isValid) throw new AppError("TASK_INVALID_NAME", [JSON.stringify(name)]);
  if (reservedTemplateNames.includes(name.toLowerCase())) throw new AppError("TASK_ALREADY_EXISTS", [name, "reserved"]);
}

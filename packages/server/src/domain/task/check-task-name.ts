import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../store/team/directory.ts";

/** Words that stand in paths where a name would. */
const reservedNames: readonly string[] = ["query", "validate"];

/**
 * Letters, digits and hyphen, to the letter: `Build` and `build` are two tasks.
 *
 * @throws TASK_INVALID_NAME, TASK_ALREADY_EXISTS (reserved)
 */
export function checkTaskName(name: string): void {
  const isValid = /^[0-9A-Za-z-]{1,128}$/.test(name) && !isId(name);
  if (!isValid) throw new AppError("TASK_INVALID_NAME", [JSON.stringify(name)]);
  if (reservedNames.includes(name.toLowerCase())) throw new AppError("TASK_ALREADY_EXISTS", [name, "reserved"]);
}

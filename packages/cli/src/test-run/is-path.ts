import { existsSync } from "node:fs";

/** Names of workflows contain neither dots nor slashes. */
export function isPath(target: string): boolean {
  return target === "-" || /[./\\]/.test(target) || existsSync(target);
}

import { existsSync } from "node:fs";

/** The name of a workflow has neither dots nor slashes. */
export function isPath(target: string): boolean {
  return target === "-" || /[./\\]/.test(target) || existsSync(target);
}

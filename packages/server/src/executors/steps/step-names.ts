import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import { fileName } from "./places.ts";

/** Steps without a name are called as Tekton calls them; names that would share a file get their place added. */
export function stepNames(steps: readonly JobStep[]): string[] {
  const taken = new Set<string>();
  return steps.map((step, index) => {
    const wanted = step.name === "" ? `unnamed-${index}` : step.name;
    const name = taken.has(fileName(wanted)) ? `${wanted}-${index}` : wanted;
    taken.add(fileName(name));
    return name;
  });
}

/** Whether a folder can hold a file of that name. */
export function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255;
}

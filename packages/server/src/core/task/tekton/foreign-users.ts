import { jobSteps, type ProgramTask } from "./job-steps.ts";
import { mergedSteps } from "./step-action/merged-steps.ts";
import { stepPrivileges } from "./step-privileges.ts";

/** Lines for the log of a task whose steps ask for a user: without privileges each runs as the user that the worker gives it. */
export function foreignUsers(task: ProgramTask): readonly string[] {
  const known = lines.get(task);
  if (known) return known;
  const names = jobSteps(task).map(({ name }) => name);
  const found = mergedSteps(task.spec, task.name).flatMap((step, index) => {
    if (stepPrivileges(step)?.user !== undefined) return [];
    const { runAsUser, runAsGroup } = (step["securityContext"] ?? {}) as Record<string, unknown>;
    const asked = [
      ...(runAsUser === undefined ? [] : [`runAsUser ${runAsUser}`]),
      ...(runAsGroup === undefined ? [] : [`runAsGroup ${runAsGroup}`]),
    ];
    return asked.length === 0
      ? []
      : [`step ${names[index]} asks for ${asked.join(" and ")}, which has no effect: steps run as a user of their own`];
  });
  lines.set(task, found);
  return found;
}

/** A version of a task never changes. */
const lines = new WeakMap<ProgramTask, readonly string[]>();

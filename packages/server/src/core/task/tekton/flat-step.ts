import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";

/**
 * One plain step stands flat in the spec of the resource (`image`, `script`, `command`, `arguments`, `envs`, `workingDir`);
 * the document, and everything that runs steps, has a list of steps in any case.
 */
const plainMembers = new Set(["name", "image", "script", "command", "args", "env", "workingDir"]);
export const flatMembers = ["image", "script", "command", "arguments", "envs", "workingDir", "stepName"] as const;
type FlatMembers = Pick<TaskSpec, (typeof flatMembers)[number]>;

/** The name that the only step of a task has when nothing else is said: the task's, as Tekton wants names. */
export function defaultStepName(taskName: string): string {
  return taskName
    .toLowerCase()
    .slice(0, 63)
    .replace(/^-+|-+$/g, "");
}

/** The steps of a spec in either form, in order. Not yet merged with the step template. */
export function stepsOf(spec: Partial<TaskSpec>, taskName: string): Step[] {
  if (spec.steps !== undefined) return spec.steps;
  if (!hasFlatStep(spec)) return [];
  const name = spec.stepName ?? defaultStepName(taskName);
  const step: Step = {
    name: name === "" ? undefined : name,
    image: spec.image,
    workingDir: spec.workingDir,
    env: spec.envs?.length ? spec.envs : undefined,
    command: spec.command?.length ? spec.command : undefined,
    args: spec.arguments?.length ? spec.arguments : undefined,
    script: spec.script,
  };
  return [Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined))];
}

function hasFlatStep(spec: Partial<TaskSpec>): boolean {
  return flatMembers.some((member) => {
    const value = spec[member];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
}

/** The flat members of the only step, or undefined when the steps need to be a list. */
export function flattenSteps(steps: readonly Step[], taskName: string): FlatMembers | undefined {
  const [step] = steps;
  if (steps.length !== 1 || step === undefined || !Object.keys(step).every((member) => plainMembers.has(member))) return undefined;
  return flatten(step, taskName);
}

function flatten(step: Step, taskName: string): FlatMembers {
  const name = step.name ?? "";
  const { image, script, command, args, env, workingDir } = step;
  return {
    ...(image && { image }),
    ...(script && { script }),
    ...(command?.length && { command }),
    ...(args?.length && { arguments: args }),
    envs: env ?? [],
    ...(workingDir && { workingDir }),
    ...(name !== defaultStepName(taskName) && { stepName: name }),
  };
}

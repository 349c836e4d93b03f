import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";

/**
 * The spec of the resource has a single plain step as flat members (`image`, `script`, `command`, `arguments`, `envs`, `workingDir`). The
 * document, and all code that runs steps, always has a list of steps.
 */
const plainMembers = new Set(["name", "image", "script", "command", "args", "env", "workingDir"]);
export const flatMembers = ["image", "script", "command", "arguments", "envs", "workingDir", "stepName"] as const;
type FlatMembers = Pick<TaskSpec, (typeof flatMembers)[number]>;

/** The default name of a task's only step: the name of the task, in a form that Tekton accepts. */
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

/** The flat members of the only step; undefined if the steps must be a list. */
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

/** The sidecars of a task as written. As in Tekton, the step template does not apply to them. */
export function sidecarsOf(spec: Partial<TaskSpec>): Step[] {
  return (spec.sidecars ?? []) as Step[];
}

export function sidecarNames(sidecars: readonly Pick<Step, "name">[]): string[] {
  return sidecars.map(({ name }, index) => name || `unnamed-${index}`);
}

/** The step name of its lines in the log: the name of its container in Tekton. */
export function sidecarStepName(name: string): string {
  return `sidecar-${name}`;
}

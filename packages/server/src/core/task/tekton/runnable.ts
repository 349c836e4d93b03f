import type { Step, TaskSpec, Volume } from "@millrace/contract/task/task.ts";
import { findReferences } from "../../parameter/references.ts";
import { annotationPrefix } from "./annotations/service-annotations.ts";
import { foreignSource } from "./env-sources.ts";
import { sidecarsOf } from "./flat-step.ts";
import { sidecarDemands } from "./sidecars/sidecar-faults.ts";
import { actionOfStep, mergedSteps } from "./step-action/step-action.ts";
import { stepPrivileges } from "./step-privileges.ts";
import { type DeclaredResults, declaredResults, referencedValue, stepValueOf, withPart } from "./step-values.ts";
import { foreignVolume } from "./volumes/volumes.ts";

/**
 * What a task demands of its executor. A document can be saved even if no executor here can run it, as long as one could: then its runs say
 * what is missing. What no executor can ever do is refused when the task is saved.
 */
export const executorKinds = ["process", "container", "kubernetes"] as const;
export type ExecutorKind = (typeof executorKinds)[number];

export interface RunDemand {
  /** JSON pointer into the document. */
  path: string;
  /** The demand, as the end of the sentence "the task …". */
  what: string;
  /** Executors that can satisfy it; empty: none so far. */
  executors: readonly ExecutorKind[];
  /** The program itself is only in an image. */
  isImage?: true;
  /** No executor will ever satisfy it. */
  isNever?: true;
}

export interface RunnableTask {
  name: string;
  spec: Partial<TaskSpec>;
  annotations: Record<string, unknown>;
}

/** Executors that run images. */
export const imageExecutors: readonly ExecutorKind[] = ["container", "kubernetes"];

export function findRunDemands(task: RunnableTask): RunDemand[] {
  const isProcess = task.annotations[`${annotationPrefix}executor`] === "process";
  return demandsOf(task.spec, mergedSteps(task.spec, task.name), isProcess);
}

/**
 * @param steps with the step template merged in
 * @param isProcess the task runs as a process, ignoring the images of its steps, which are for other executors
 */
export function demandsOf(spec: Partial<TaskSpec>, steps: readonly Step[], isProcess: boolean): RunDemand[] {
  const declared = declaredResults(
    steps.map(({ name }, index) => name || `unnamed-${index}`),
    steps,
  );
  const demands = steps.flatMap((step, index) => [
    ...stepDemands(step, `/spec/steps/${index}`, isProcess),
    ...partDemands(step, `/spec/steps/${index}`, declared),
  ]);
  for (const volume of mountedVolumes(spec, [...steps, ...sidecarsOf(spec)]))
    demands.push(...volumeDemands(volume, spec.volumes?.indexOf(volume) ?? 0));
  demands.push(...sidecarsOf(spec).flatMap((sidecar, index) => foreignVariables(sidecar, `/spec/sidecars/${index}`)));
  for (const { path, what, isImpossible, isOfImage } of sidecarDemands(spec, steps))
    demands.push({ path, what, executors: isImpossible ? [] : isOfImage ? entrypointExecutors : imageExecutors });
  if (isGiven(spec["resources"])) {
    demands.push({
      path: "/spec/resources",
      what: "uses PipelineResources, which no longer exist; use params and workspaces",
      executors: [],
      isNever: true,
    });
  }
  return demands;
}

function stepDemands(step: Step, path: string, isProcess: boolean): RunDemand[] {
  const demand = (member: string, what: string): RunDemand => ({ path: `${path}/${member}`, what, executors: [] });
  const demands: RunDemand[] = [];
  if (step.ref && actionOfStep(step) === undefined)
    demands.push(demand("ref", `refers to a step elsewhere (${describeRef(step.ref)}), which it has no copy of; save the task again`));
  else demands.push(...programDemands(step, path, isProcess));
  demands.push(...foreignVariables(step, path));
  if (stepPrivileges(step) !== undefined)
    demands.push({
      ...demand("securityContext", `gives privileges to ${step.name ? `step ${step.name}` : "a step"}`),
      executors: imageExecutors,
    });
  if (referencesStepResult(step)) demands.push({ path, what: readsStepResult, executors: [] });
  if (isGiven(step["volumeDevices"])) demands.push(demand("volumeDevices", "uses volumeDevices"));
  return demands;
}

/** In a pod, a shell inserts the values that steps leave for others, and a shell can't parse JSON. */
function partDemands({ name, command, args, env, when, params }: Step, path: string, declared: DeclaredResults): RunDemand[] {
  const taken = findReferences([command, args, env?.map(({ value }) => value), when, params?.map(({ value }) => value)]);
  const values = taken.flatMap((reference) => referencedValue(reference) ?? []).map((value) => withPart(value, declared));
  if (!values.some(({ part, spread }) => part !== undefined || spread)) return [];
  const what = `gives ${name ? `step ${name}` : "a step"} parts of the result of another step`;
  return [{ path, what, executors: ["process", "container"] }];
}

function foreignVariables({ env = [] }: Step, path: string): RunDemand[] {
  return env.flatMap(({ name, valueFrom }, index): RunDemand[] => {
    const foreign = foreignSource(valueFrom);
    if (foreign === undefined) return [];
    const what = `takes ${name} from a field that only pods have (${foreign})`;
    return [{ path: `${path}/env/${index}/valueFrom`, what, executors: [], isNever: true }];
  });
}

function programDemands(step: Step, path: string, isProcess: boolean): RunDemand[] {
  const name = step.name ? `step ${step.name}` : "a step";
  const saysWhatRuns = Boolean(step.script) || Boolean(step.command?.length);
  if (step.image && !isProcess) {
    const what = `runs ${name} in the image ${step.image}`;
    const demand: RunDemand = { path: `${path}/image`, what, executors: imageExecutors, isImage: true };
    return saysWhatRuns ? [demand] : [demand, { path, what: `leaves the command of ${name} to the image`, executors: entrypointExecutors }];
  }
  if (saysWhatRuns) return [];
  const what = `has neither script nor command in ${name}, so only an image can define what to run`;
  return [{ path, what, executors: entrypointExecutors, isImage: true }];
}

/** In a pod, a wrapper replaces the image's own program, and only the registry could tell which program that is. */
const entrypointExecutors: readonly ExecutorKind[] = ["container"];

const readsStepResult = "uses the result of a step as a value in a script or a folder, which can only be in command, args, env and when";

/** Found only in tasks that were saved before this was refused. */
function referencesStepResult({ script, workingDir }: Step): boolean {
  return findReferences([script, workingDir]).some((reference) => reference.kind === "place" && stepValueOf(reference.words) !== undefined);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function describeRef(ref: unknown): string {
  const { name, resolver } = (ref ?? {}) as Record<string, unknown>;
  return typeof resolver === "string" ? `resolver ${resolver}` : `StepAction ${String(name ?? "")}`;
}

function mountedVolumes(spec: Partial<TaskSpec>, steps: readonly Step[]): Volume[] {
  const names = new Set(steps.flatMap((step) => step.volumeMounts ?? []).map(({ name }) => name));
  return (spec.volumes ?? []).filter(({ name }) => names.has(name));
}

function volumeDemands(volume: Volume, index: number): RunDemand[] {
  const foreign = foreignVolume(volume);
  if (foreign === undefined) return [];
  const what = `mounts the volume ${volume.name} (${foreign}); use a workspace for files that stay, and emptyDir, secret or configMap for others`;
  return [{ path: `/spec/volumes/${index}`, what, executors: [], isNever: true }];
}

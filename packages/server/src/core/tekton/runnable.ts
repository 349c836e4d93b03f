import type { Step, TaskSpec, Volume } from "@millrace/contract/task.ts";
import { findReferences } from "../references.ts";
import type { JobStep } from "./job-steps.ts";
import { mergedSteps } from "./merge-step-template.ts";
import { annotationPrefix } from "./service-annotations.ts";

/**
 * What a task demands of the executor that is to run it. A document is loaded whole even when nothing here can run it, as long
 * as some executor could: then a run of it says what is missing. What no executor can ever run is refused when it is saved.
 */
export const executorKinds = ["process", "container", "kubernetes"] as const;
export type ExecutorKind = (typeof executorKinds)[number];

export interface RunDemand {
  /** JSON pointer into the document. */
  path: string;
  /** What is demanded, as the end of the sentence "the task …". */
  what: string;
  /** Executors that can do it; none: it can never run. */
  executors: readonly ExecutorKind[];
  /** It is the program itself that only an image has. */
  isImage?: true;
}

export interface RunnableTask {
  name: string;
  spec: Partial<TaskSpec>;
  annotations: Record<string, unknown>;
}

const anyContainer = ["container", "kubernetes"] as const;
const kubernetesOnly = ["kubernetes"] as const;

/** The executor that the task asks for by its annotation. */
function wantedExecutor(annotations: Record<string, unknown>): ExecutorKind | undefined {
  const wanted = annotations[`${annotationPrefix}executor`];
  return executorKinds.find((kind) => kind === wanted);
}

export function findRunDemands(task: RunnableTask): RunDemand[] {
  return demandsOf(task, mergedSteps(task.spec, task.name));
}

function demandsOf(task: RunnableTask, steps: readonly Step[]): RunDemand[] {
  const isProcess = wantedExecutor(task.annotations) === "process";
  const { spec } = task;
  const demands = steps.flatMap((step, index) => stepDemands(step, `/spec/steps/${index}`, isProcess));
  for (const volume of mountedVolumes(spec, steps)) demands.push(...volumeDemands(volume, spec.volumes?.indexOf(volume) ?? 0));
  if (spec.sidecars?.length) demands.push({ path: "/spec/sidecars", what: "has sidecars", executors: anyContainer });
  const value = (spec.results ?? []).findIndex((result) => isGiven(result["value"]));
  if (value >= 0) demands.push({ path: `/spec/results/${value}/value`, what: readsStepResult, executors: kubernetesOnly });
  if (isGiven(spec["resources"])) {
    demands.push({
      path: "/spec/resources",
      what: "uses PipelineResources, which no longer exist; use params and workspaces",
      executors: [],
    });
  }
  return demands;
}

function stepDemands(step: Step, path: string, isProcess: boolean): RunDemand[] {
  const demand = (member: string, what: string, executors: readonly ExecutorKind[]): RunDemand => ({
    path: `${path}/${member}`,
    what,
    executors,
  });
  const demands: RunDemand[] = [];
  if (step["ref"]) demands.push(demand("ref", `takes a step from elsewhere (${describeRef(step["ref"])}); write the step out`, []));
  else demands.push(...programDemands(step, path, isProcess));
  if (isGiven(step["when"])) demands.push(demand("when", "has a step with a condition (when)", []));
  if (isGiven(step["envFrom"])) demands.push(demand("envFrom", "takes environment variables from the cluster (envFrom)", kubernetesOnly));
  const foreign = step.env?.findIndex((variable) => variable["valueFrom"]) ?? -1;
  if (foreign >= 0) {
    demands.push(demand(`env/${foreign}`, `takes ${step.env?.[foreign]?.name} from the cluster (valueFrom)`, kubernetesOnly));
  }
  if (isPrivileged(step["securityContext"])) demands.push(demand("securityContext", "has a privileged step", kubernetesOnly));
  if (referencesStepResult(step)) demands.push({ path, what: readsStepResult, executors: kubernetesOnly });
  for (const member of ["volumeDevices", "stdoutConfig", "stderrConfig"]) {
    if (isGiven(step[member])) demands.push(demand(member, `uses ${member}`, kubernetesOnly));
  }
  return demands;
}

function programDemands(step: Step, path: string, isProcess: boolean): RunDemand[] {
  const name = step.name ? `step ${step.name}` : "a step";
  if (step.image && !isProcess) {
    return [{ path: `${path}/image`, what: `runs ${name} in the image ${step.image}`, executors: anyContainer, isImage: true }];
  }
  if (step.script || step.command?.length) return [];
  return [
    {
      path,
      what: `has neither script nor command in ${name}, so only an image could say what to run`,
      executors: anyContainer,
      isImage: true,
    },
  ];
}

const readsStepResult = "takes the result of a step as a value, not by its path";

function referencesStepResult({ script, command, args, env, workingDir }: Step): boolean {
  const references = findReferences([script, command, args, env?.map(({ value }) => value), workingDir]);
  return references.some(({ kind, ...reference }) => {
    const [root, , member, ...rest] = kind === "place" && "words" in reference ? reference.words : [];
    return root === "steps" && member === "results" && rest.at(-1) !== "path";
  });
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function describeRef(ref: unknown): string {
  const { name, resolver } = (ref ?? {}) as Record<string, unknown>;
  return typeof resolver === "string" ? `resolver ${resolver}` : `StepAction ${String(name ?? "")}`;
}

function isPrivileged(context: unknown): boolean {
  const { privileged, capabilities } = (context ?? {}) as { privileged?: unknown; capabilities?: { add?: unknown[] } };
  return privileged === true || (capabilities?.add?.length ?? 0) > 0;
}

function mountedVolumes(spec: Partial<TaskSpec>, steps: readonly Step[]): Volume[] {
  const mounts = [...steps, ...(spec.sidecars ?? [])].flatMap((step) => step.volumeMounts ?? []);
  const names = new Set(mounts.map(({ name }) => name));
  return (spec.volumes ?? []).filter(({ name }) => names.has(name));
}

function volumeDemands(volume: Volume, index: number): RunDemand[] {
  const source = Object.keys(volume).find((member) => member !== "name") ?? "nothing";
  const executors = source === "emptyDir" ? anyContainer : kubernetesOnly;
  return [{ path: `/spec/volumes/${index}`, what: `mounts the volume ${volume.name} (${source})`, executors }];
}

/** What this instance has to run tasks with. */
export interface AvailableExecutors {
  /** In order of preference. */
  kinds: readonly ExecutorKind[];
  /** Image for steps without one, when the operator has set it. */
  defaultImage?: string;
}

export type ExecutorChoice = { kind: ExecutorKind } | { kind: undefined; reason: "ImageRequired" | "InvalidTask"; message: string };

/**
 * The executor that runs the task here and now, or why there is none: the message names what cannot be run and what would help.
 * Steps without an image run as processes, unless the operator has set an image for them.
 *
 * @param resolved the steps of the task run: an image that turns out to be empty is none
 */
export function chooseExecutor(task: RunnableTask, available: AvailableExecutors, resolved?: readonly JobStep[]): ExecutorChoice {
  const steps = withResolvedImages(mergedSteps(task.spec, task.name), resolved);
  const demands = demandsOf(task, steps);
  const wanted = wantedExecutor(task.annotations);
  const prefersImage = Boolean(available.defaultImage) || demands.some(({ isImage }) => isImage);
  if (!available.defaultImage) demands.push(...imagelessSteps(steps));
  const candidates = available.kinds.filter((kind) => wanted === undefined || wanted === kind);
  const able = candidates.filter((kind) => demands.every(({ executors }) => executors.includes(kind)));
  const kind = able.find((one) => (one === "process") !== prefersImage) ?? able[0];
  return kind === undefined ? refusal(task, demands, available.kinds, wanted) : { kind };
}

/** The steps of a custom task are known only now. */
function withResolvedImages(steps: readonly Step[], resolved: readonly JobStep[] | undefined): Step[] {
  if (resolved === undefined) return [...steps];
  return resolved.map(({ name, image, script, command }, index) => ({ ...(steps[index] ?? { script, command }), name, image }));
}

function imagelessSteps(steps: readonly Step[]): RunDemand[] {
  const index = steps.findIndex((step) => !step.image);
  if (index < 0) return [];
  const what = `names no image for ${steps[index]?.name ? `step ${steps[index].name}` : "a step"}, and the setting task/default.image is empty`;
  return [{ path: `/spec/steps/${index}/image`, what, executors: ["process"] }];
}

function refusal(
  task: RunnableTask,
  demands: RunDemand[],
  kinds: readonly ExecutorKind[],
  wanted: ExecutorKind | undefined,
): ExecutorChoice {
  const here = kinds.length > 0 ? kinds.join(", ") : "none";
  const usable = kinds.filter((kind) => wanted === undefined || wanted === kind);
  const alone = demands.filter(({ executors }) => !usable.some((kind) => executors.includes(kind)));
  const unmet = alone.length > 0 ? alone : demands;
  const needed = wanted ? [wanted] : executorKinds.filter((kind) => demands.every(({ executors }) => executors.includes(kind)));
  const why = unmet.length > 0 ? `it ${unmet.map(({ what }) => what).join(", and ")}` : `it asks for the executor ${wanted ?? "process"}`;
  const isHere = wanted !== undefined && kinds.includes(wanted);
  const takes = isHere
    ? `the executor ${wanted}, which it asks for, cannot do that`
    : `that takes an executor of kind ${needed.join(" or ")}; here: ${here}`;
  const help = needed.length > 0 ? takes : "no executor can do that";
  const isImage = unmet.some((demand) => demand.isImage);
  const hint =
    isImage && wanted === undefined
      ? `. A task that also runs without its image says so by the annotation ${annotationPrefix}executor: process`
      : "";
  return {
    kind: undefined,
    reason: isImage ? "ImageRequired" : "InvalidTask",
    message: `task ${task.name} cannot run here: ${why}; ${help}${hint}`,
  };
}

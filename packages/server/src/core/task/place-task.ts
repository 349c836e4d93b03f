// Where a task can run: what its annotations and its steps ask for, and which executors can do that.
import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import type { PlanNode, PlanTask } from "../workflow/plan.ts";
import { type ExternalNeed, externalExecutor, externalNeed, isExternal } from "./external-task.ts";
import { type TaskNetwork, taskNetworks } from "./opt-in.ts";
import { type PlacingAnnotation, placingFault, readLabels, readNodeSelector } from "./tekton/annotations/placing-annotations.ts";
import { annotationPrefix } from "./tekton/annotations/service-annotations.ts";
import type { JobStep } from "./tekton/job-steps.ts";
import { demandsOf, type ExecutorKind, executorKinds, imageExecutors, type RunDemand } from "./tekton/runnable.ts";
import { mergedSteps } from "./tekton/step-action/step-action.ts";
import { fillText } from "./tekton/step-values.ts";

/**
 * Decides what a task run needs, as one word that is stored in its row and that workers claim by. It depends on the task, its node and the
 * instance's image for steps without one, never on the workers that currently exist: the same task runs the same way everywhere, and a task
 * run that no worker can take at the moment waits for one that can.
 *
 * Steps without an image run as processes, unless the instance has an image for them.
 */

/**
 * `image`: any executor that runs images, a container or a cluster, whichever is free first. An external need contains the name of its
 * task; a program outside of the service claims it.
 */
export type RunNeed = ExecutorKind | "image" | ExternalNeed;

export interface Refusal {
  reason: "ImageRequired" | "InvalidTask";
  /** Says what can't be run, with the remedy if there is one. */
  message: string;
}

/** The need, or why no existing executor could ever run the task. */
export type Placement = { need: RunNeed; refusal?: undefined } | { need?: undefined; refusal: Refusal };

/** Whether an executor of that kind can satisfy the need. */
export function meets(kind: ExecutorKind, need: RunNeed): boolean {
  return kind === need || (need === "image" && imageExecutors.includes(kind));
}

/** The needs that a worker with executors of these kinds can satisfy. */
export function needsMet(kinds: readonly ExecutorKind[]): RunNeed[] {
  return imageExecutors.some((kind) => kinds.includes(kind)) ? [...kinds, "image"] : [...kinds];
}

/**
 * @param hasDefaultImage the instance has an image for steps that name none
 * @param resolve returns the steps with parameters resolved; called only if images come from parameters, since the node defines the rest
 */
export function placeTask(node: PlanNode, hasDefaultImage: boolean, resolve: () => readonly JobStep[]): Placement {
  const known = placements.get(node) ?? { with: undefined, without: undefined };
  const slot = hasDefaultImage ? "with" : "without";
  const placement = known[slot] ?? decide(node, hasDefaultImage, resolve);
  if (known[slot] !== placement && isFixed(node.task)) placements.set(node, { ...known, [slot]: placement });
  return placement;
}

/** Caches nodes whose images do not depend on parameters: a node never changes and belongs to one plan. */
const placements = new WeakMap<PlanNode, { with: Placement | undefined; without: Placement | undefined }>();

function isFixed(task: PlanTask | undefined): boolean {
  if (!task || isExternal(task)) return true;
  const steps = mergedSteps(task.spec as Partial<TaskSpec>, task.name);
  return (steps.length > 0 || task.type !== "custom") && !steps.some(({ image }) => image?.includes("$("));
}

function decide(node: PlanNode, hasDefaultImage: boolean, resolve: () => readonly JobStep[]): Placement {
  const { executor: wanted, fault } = nodePlacing(node);
  const { task } = node;
  if (!task) return { need: "process" };
  if (fault !== undefined) return { refusal: { reason: "InvalidTask", message: `task ${task.name} cannot run: ${fault}` } };
  if (wanted === externalExecutor || isExternal(task)) return placeExternal(node, task, wanted);
  const spec = task.spec as Partial<TaskSpec>;
  const steps = isFixed(task) ? mergedSteps(spec, task.name) : withImages(mergedSteps(spec, task.name), resolve());
  const demands = demandsOf(spec, steps, wanted === "process");
  const prefersImage = hasDefaultImage || demands.some(({ isImage }) => isImage);
  if (!hasDefaultImage) demands.push(...imagelessSteps(steps));
  const kinds = wanted === undefined ? executorKinds : [wanted];
  const able = kinds.filter((kind) => demands.every(({ executors }) => executors.includes(kind)));
  const forImages = able.filter((kind) => imageExecutors.includes(kind));
  if (able.length === 0) return { refusal: refuse(task.name, demands, wanted) };
  if (able.includes("process") && !(prefersImage && forImages.length > 0)) return { need: "process" };
  return { need: forImages.length > 1 ? "image" : (forImages[0] as ExecutorKind) };
}

/** A node can't make a task external, nor make an external task run here: there would be nothing to run, or no program that asks for it. */
function placeExternal({ workspaces }: PlanNode, task: PlanTask, wanted: string | undefined): Placement {
  const refuse = (message: string): Placement => ({
    refusal: { reason: "InvalidTask", message: `task ${task.name} cannot run: ${message}` },
  });
  if (!isExternal(task))
    return refuse(
      `its node has the annotation ${annotationPrefix}executor: ${externalExecutor}; only the definition of a task can have it`,
    );
  if (wanted !== externalExecutor) return refuse(`it is external, but its node has the annotation ${annotationPrefix}executor: ${wanted}`);
  if (workspaces.length > 0) return refuse("it is external, and external workers have no workspaces; pass what it needs as parameters");
  return { need: externalNeed(task.name) };
}

/** An image that resolves to empty text counts as none. The steps of a custom task are known only now. */
function withImages(steps: readonly Step[], resolved: readonly JobStep[]): Step[] {
  return resolved.map(({ name, image, script, command }, index) => ({
    ...(steps[index] ?? { script, command: command?.map((text) => fillText(text, () => "")) }),
    name,
    image: image?.trim() || undefined,
  }));
}

function imagelessSteps(steps: readonly Step[]): RunDemand[] {
  const index = steps.findIndex((step) => !step.image);
  if (index < 0) return [];
  const what = `names no image for ${steps[index]?.name ? `step ${steps[index].name}` : "a step"}, and the setting task/default.image is empty`;
  return [{ path: `/spec/steps/${index}/image`, what, executors: ["process"], isImage: true }];
}

function ableInstead(demands: readonly RunDemand[]): string {
  const able = executorKinds.filter((kind) => demands.every(({ executors }) => executors.includes(kind)));
  return able.length === 0 ? "" : `, but ${able.join(" and ")} can`;
}

function refuse(taskName: string, demands: readonly RunDemand[], wanted: ExecutorKind | undefined): Refusal {
  const kinds = wanted === undefined ? executorKinds : [wanted];
  const alone = demands.filter(({ executors }) => !kinds.some((kind) => executors.includes(kind)));
  const unmet = alone.length > 0 ? alone : demands;
  const isPossible = wanted !== undefined && alone.some(({ executors }) => executors.length > 0);
  const help = isPossible
    ? `the executor ${wanted}, which it requests, can't do that${ableInstead(demands)}`
    : `no executor here can do ${unmet.length > 1 ? "all of that" : "that"}`;
  const isImage = unmet.every((demand) => demand.isImage);
  const hint =
    isImage && wanted === undefined
      ? `. If the task also runs without its image, add the annotation ${annotationPrefix}executor: process`
      : "";
  return {
    reason: isImage ? "ImageRequired" : "InvalidTask",
    message: `task ${taskName} cannot run: it ${unmet.map(({ what }) => what).join(", and ")}; ${help}${hint}`,
  };
}

/** What the annotations of a node and its task say about where it runs; annotations of the node override those of the task. */
export interface NodePlacing {
  /** The requested executor; undefined: any suitable one. */
  executor: ExecutorKind | typeof externalExecutor | undefined;
  /** Labels that the worker must have. */
  runsOn: readonly string[];
  /** Labels that the node of the cluster must have; undefined: any node. */
  nodeSelector: Readonly<Record<string, string>> | undefined;
  /** Undefined: none is set, and `defaultNetwork` applies. */
  network: TaskNetwork | undefined;
  /** An annotation that can't be read, as a sentence. */
  fault: string | undefined;
}

/** Cached: a node never changes and belongs to one plan. */
export function nodePlacing(node: PlanNode): NodePlacing {
  const known = placings.get(node);
  if (known) return known;
  const placing = readPlacing(node);
  placings.set(node, placing);
  return placing;
}

const placings = new WeakMap<PlanNode, NodePlacing>();

function readPlacing(node: PlanNode): NodePlacing {
  const asked = (name: PlacingAnnotation) => node.annotations[annotationPrefix + name] ?? node.task?.annotations[annotationPrefix + name];
  const faults = (["executor", "network", "runs-on", "node-selector"] as const).flatMap((name) => {
    const value = asked(name);
    const fault = value == null ? undefined : placingFault(name, value);
    return fault === undefined ? [] : [`its annotation ${annotationPrefix}${name} ${fault}`];
  });
  const selector = readNodeSelector(asked("node-selector"));
  return {
    executor: ([...executorKinds, externalExecutor] as const).find((kind) => kind === asked("executor")),
    runsOn: readLabels(asked("runs-on")) ?? [],
    nodeSelector: selector && Object.keys(selector).length > 0 ? selector : undefined,
    network: taskNetworks.find((network) => network === asked("network")),
    fault: faults.length > 0 ? faults.join(", and ") : undefined,
  };
}

import { externalExecutor } from "../task/external-task.ts";
import { type TaskNetwork, taskNetworks } from "../task/task-network.ts";
import { type PlacingAnnotation, placingFault, readLabels, readNodeSelector } from "../task/tekton/annotations/placing-annotations.ts";
import { annotationPrefix } from "../task/tekton/annotations/service-annotations.ts";
import { type ExecutorKind, executorKinds } from "../task/tekton/runnable.ts";
import type { PlanNode } from "./plan.ts";

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

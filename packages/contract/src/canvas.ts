import Type from "typebox";
import type { AbstractParam } from "./common.ts";
import { named, orNull, ref, stringEnum } from "./schema.ts";
import { type TaskType, taskTypes } from "./status.ts";
import {
  type ExecutionCondition,
  executionConditions,
  type NodeMembers,
  nodeMembers,
  type WorkflowMembers,
  workflowMembers,
} from "./workflow.ts";

/** The workflow as a designer draws it: nodes and edges instead of tasks and dependencies, `config` instead of `params`. */

export interface CanvasNodePosition {
  x: number;
  y: number;
}
export const canvasNodePosition = named("CanvasNodePosition", Type.Object({ x: Type.Number(), y: Type.Number() }));

/** All members of the task but type, dependencies and position; members we do not know are kept. */
export interface CanvasNodeData extends NodeMembers {
  [member: string]: unknown;
}
export const canvasNodeData = named("CanvasNodeData", Type.Object(nodeMembers, { additionalProperties: true }));

export interface CanvasNode {
  /** Means something inside one canvas only: edges refer to it. */
  id: string;
  type?: TaskType | null;
  position?: CanvasNodePosition | null;
  data: CanvasNodeData;
}
export const canvasNode = named(
  "CanvasNode",
  Type.Object({
    id: Type.String({ minLength: 1, description: "Used by edges; needs to be unique only inside one canvas" }),
    type: orNull(stringEnum(taskTypes)),
    position: orNull(ref<CanvasNodePosition>("CanvasNodePosition")),
    data: ref<CanvasNodeData>("CanvasNodeData"),
  }),
);

export interface CanvasEdgeData {
  executionCondition?: ExecutionCondition | null;
  decisionCondition?: string | null;
  [member: string]: unknown;
}
export const canvasEdgeData = named(
  "CanvasEdgeData",
  Type.Object(
    {
      decisionCondition: orNull(Type.String({ description: "Regular expressions (RE2), one per line, on edges that leave a decision" })),
      executionCondition: orNull(stringEnum(executionConditions, { description: "When the edge is followed; default always" })),
    },
    { additionalProperties: true },
  ),
);

export interface CanvasEdge {
  id?: string | null;
  /** Id of the node it leaves. */
  source: string;
  /** Id of the node it leads to. */
  target: string;
  /** Type of the source's task. */
  type?: string | null;
  data?: CanvasEdgeData | null;
}
export const canvasEdge = named(
  "CanvasEdge",
  Type.Object({
    id: orNull(Type.String()),
    source: Type.String({ minLength: 1, description: "ID of the node at its start" }),
    target: Type.String({ minLength: 1, description: "ID of the node at its end" }),
    type: orNull(Type.String({ description: "Type of the source's task. Computed" })),
    data: orNull(ref<CanvasEdgeData>("CanvasEdgeData")),
  }),
);

export interface WorkflowCanvas extends Omit<WorkflowMembers, "name"> {
  /** The path names the workflow; the body may repeat it. */
  name?: string | null;
  nodes?: CanvasNode[] | null;
  edges?: CanvasEdge[] | null;
  config?: AbstractParam[] | null;
  [member: string]: unknown;
}

export const workflowCanvas = Type.Unsafe<WorkflowCanvas>(
  named(
    "WorkflowCanvas",
    Type.Object(
      {
        id: orNull(Type.String({ description: "Set by the service" })),
        ...workflowMembers,
        name: orNull(workflowMembers.name),
        config: orNull(Type.Array(ref<AbstractParam>("AbstractParam"), { maxItems: 1000, description: "The parameters of the workflow" })),
        nodes: orNull(Type.Array(ref<CanvasNode>("CanvasNode"), { maxItems: 10_002 })),
        edges: orNull(Type.Array(ref<CanvasEdge>("CanvasEdge"), { maxItems: 100_000 })),
      },
      { additionalProperties: true },
    ),
  ),
);

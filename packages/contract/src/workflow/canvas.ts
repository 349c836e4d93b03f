import Type, { type Static } from "typebox";
import { abstractParam } from "../common.ts";
import { named, openObject, orNull, ref, stringEnum } from "../schema.ts";
import { taskTypes } from "../status.ts";
import { executionConditions, nodeMembers, workflowMembers } from "./workflow.ts";

/** The workflow as a designer draws it: with nodes and edges instead of tasks and dependencies, and `config` instead of `params`. */

export interface CanvasNodePosition extends Static<typeof canvasNodePosition> {}
export const canvasNodePosition = named("CanvasNodePosition", Type.Object({ x: Type.Number(), y: Type.Number() }));

/** All members of the task except type, dependencies and position; unknown members are kept. */
export interface CanvasNodeData extends Static<typeof canvasNodeData> {}
export const canvasNodeData = named("CanvasNodeData", openObject(nodeMembers));

export interface CanvasNode extends Static<typeof canvasNode> {}
export const canvasNode = named(
  "CanvasNode",
  Type.Object({
    id: Type.String({ minLength: 1, description: "Used by edges; needs to be unique only inside one canvas" }),
    type: orNull(stringEnum(taskTypes)),
    position: orNull(ref(canvasNodePosition)),
    data: ref(canvasNodeData),
  }),
);

export interface CanvasEdgeData extends Static<typeof canvasEdgeData> {}
export const canvasEdgeData = named(
  "CanvasEdgeData",
  openObject({
    decisionCondition: orNull(Type.String({ description: "Regular expressions (RE2), one per line, on edges that leave a decision" })),
    executionCondition: orNull(stringEnum(executionConditions, { description: "When the edge is followed; default always" })),
  }),
);

export interface CanvasEdge extends Static<typeof canvasEdge> {}
export const canvasEdge = named(
  "CanvasEdge",
  Type.Object({
    id: orNull(Type.String()),
    source: Type.String({ minLength: 1, description: "ID of the node at its start" }),
    target: Type.String({ minLength: 1, description: "ID of the node at its end" }),
    type: orNull(Type.String({ description: "Type of the source's task. Computed" })),
    data: orNull(ref(canvasEdgeData)),
  }),
);

export interface WorkflowCanvas extends Static<typeof workflowCanvas> {}

export const workflowCanvas = named(
  "WorkflowCanvas",
  openObject({
    id: orNull(Type.String({ description: "Set by the service" })),
    ...workflowMembers,
    /** The path names the workflow; the body may repeat it. */
    name: orNull(workflowMembers.name),
    config: orNull(Type.Array(ref(abstractParam), { maxItems: 1000, description: "The parameters of the workflow" })),
    nodes: orNull(Type.Array(ref(canvasNode), { maxItems: 10_002 })),
    edges: orNull(Type.Array(ref(canvasEdge), { maxItems: 100_000 })),
  }),
);

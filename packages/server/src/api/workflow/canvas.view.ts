import type { CanvasEdge, CanvasNode, WorkflowCanvas } from "@millrace/contract/canvas.ts";
import { canvasOf } from "../../core/workflow/canvas.ts";
import type { ReadWorkflow } from "../../domain/workflow/read-workflow.ts";
import { viewWorkflow } from "./workflow.view.ts";

const optionalMembers = { icon: null, description: null, markdown: null, timeout: null, retries: null };

/** The canvas as it is read. Unlike in the workflow, what is absent is written as null (reference-api 1.6). */
export function viewCanvas(read: ReadWorkflow): WorkflowCanvas {
  const { nodes, edges, ...canvas } = canvasOf(viewWorkflow(read));
  return { ...optionalMembers, ...canvas, nodes: (nodes ?? []).map(viewNode), edges: (edges ?? []).map(viewEdge) };
}

function viewNode(node: CanvasNode): CanvasNode {
  return { ...node, data: { taskRef: null, taskVersion: null, ...node.data } };
}

function viewEdge(edge: CanvasEdge): CanvasEdge {
  return { ...edge, data: { decisionCondition: null, ...edge.data } };
}

import { ref } from "@millrace/contract/schema.ts";
import { type CanvasEdge, type CanvasNode, type WorkflowCanvas, workflowCanvas } from "@millrace/contract/workflow/canvas.ts";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import Type from "typebox";
import { inSlices, pauseIfLarge } from "../../base/process/slices.ts";
import { canvasSteps, formerNamesOn, workflowOfCanvas } from "../../core/workflow/canvas.ts";
import { type ReadWorkflow, readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { resolveComposeName } from "../../domain/workflow/workflow-name.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { ifMatchHeader } from "../etag.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentCanvas } from "../present-body.ts";
import { saveWorkflow } from "./save-workflow.ts";
import { replaceParameter, versionParameter, viewWorkflow, workflowBodyLimit, workflowPath, workflowTag } from "./workflow.view.ts";

export const getCanvas = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/compose",
  summary: "Read a workflow as the canvas of a designer",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  query: Type.Object({ version: versionParameter }),
  response: ref(workflowCanvas),
  async handle({ db, team, params, query }) {
    const read = await readWorkflow(db, team.id, params.workflow, query.version);
    return reply({ headers: { etag: workflowTag(read) }, body: await viewCanvas(read) });
  },
});

export const applyCanvas = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow/:workflow/compose",
  summary: "Write a workflow as the canvas of a designer",
  description: "The path names the workflow, which is created if it doesn't exist; another `name` in the body is refused.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  headers: ifMatchHeader,
  bodyLimit: workflowBodyLimit,
  params: workflowPath,
  query: Type.Object({ replace: replaceParameter }),
  body: ref(workflowCanvas),
  presentBody: presentCanvas,
  response: ref(workflowCanvas),
  async handle(context) {
    const { db, team, params, query, body, headers } = context;
    const name = await resolveComposeName(db, team.id, params.workflow, body.name);
    const input = workflowOfCanvas({ ...body, name });
    await pauseIfLarge(input.tasks?.length ?? 0);
    const { read, warnings, proposed } = await saveWorkflow(context, input, { replace: query.replace, formerNames: formerNamesOn(body) });
    if (proposed) return reply({ committed: proposed.refusal });
    const missing = missingSecretsHeader(headers, input, read.version.document, (node) => `/nodes/${node}/data/params`);
    return reply({ headers: { etag: workflowTag(read), ...missing }, body: { ...(await viewCanvas(read)), ...onCanvas(warnings) } });
  },
});

/** With places on the canvas, which is what was sent. */
function onCanvas({ warnings }: Pick<WorkflowInput, "warnings">): Pick<WorkflowInput, "warnings"> {
  return warnings ? { warnings: warnings.map((warning) => ({ ...warning, ...(warning.path && { path: canvasPath(warning.path) }) })) } : {};
}

/** On a canvas a dependency is an edge, which is reported by the node that it leads to. */
function canvasPath(path: string): string {
  return path
    .replace(/^\/params(?=\/|$)/, "/config")
    .replace(/^\/tasks\/(\d+)(?:\/dependencies.*)?$/, "/nodes/$1")
    .replace(/^\/tasks\/(\d+)\//, "/nodes/$1/data/");
}

const optionalMembers = { icon: null, description: null, markdown: null, timeout: null, retries: null };

/** The canvas as it is read. Unlike in the workflow, absent members are written as null (reference-api 1.6). */
async function viewCanvas(read: ReadWorkflow): Promise<WorkflowCanvas> {
  const { nodes, edges, ...canvas } = await inSlices(canvasSteps(viewWorkflow(read)));
  return { ...optionalMembers, ...canvas, nodes: (nodes ?? []).map(viewNode), edges: (edges ?? []).map(viewEdge) };
}

function viewNode(node: CanvasNode): CanvasNode {
  return { ...node, data: { taskRef: null, taskVersion: null, ...node.data } };
}

function viewEdge(edge: CanvasEdge): CanvasEdge {
  return { ...edge, data: { decisionCondition: null, ...edge.data } };
}

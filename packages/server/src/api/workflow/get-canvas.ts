import { workflowCanvas } from "@millrace/contract/canvas.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { viewCanvas } from "./canvas.view.ts";
import { workflowTag } from "./workflow.view.ts";
import { versionParameter, workflowPath } from "./workflow-path.ts";

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
    return reply({ headers: { etag: workflowTag(read) }, body: viewCanvas(read) });
  },
});

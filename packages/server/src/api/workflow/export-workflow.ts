import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { viewWorkflow } from "./workflow.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const exportWorkflow = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/export",
  summary: "Download the latest version of a workflow as a file",
  description: "Without ID and secrets. POST or PUT the file to create the workflow elsewhere.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: ref(workflow),
  async handle({ db, team, params }) {
    const { id: _id, ...workflow } = viewWorkflow(await readWorkflow(db, team.id, params.workflow));
    return reply({
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="${workflow.name}.json"`,
        "cache-control": "no-store",
      },
      body: `${JSON.stringify(workflow, null, 2)}\n`,
    });
  },
});

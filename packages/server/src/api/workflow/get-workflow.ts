import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import Type from "typebox";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { viewWorkflow, workflowTag } from "./workflow.view.ts";
import { versionParameter, workflowPath } from "./workflow-path.ts";

export const getWorkflow = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow",
  summary: "Read a workflow",
  description: "Secrets are empty, with `hiddenValue`. Use the ETag as If-Match of a write.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "none",
  params: workflowPath,
  query: Type.Object({ version: versionParameter, withTasks: Type.Boolean({ default: true, description: "false leaves the tasks out" }) }),
  response: ref(workflow),
  async handle({ db, team, params, query }) {
    const read = await readWorkflow(db, team.id, params.workflow, query.version);
    return reply({ headers: { etag: workflowTag(read) }, body: viewWorkflow(read, query) });
  },
});

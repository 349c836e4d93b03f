import { ref } from "@millrace/contract/schema.ts";
import { workflowTemplate } from "@millrace/contract/workflow-template.ts";
import Type from "typebox";
import { readTemplate } from "../../domain/template/read-template.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { versionParameter } from "../workflow/workflow-path.ts";
import { templateTag, viewTemplate } from "./template.view.ts";
import { templatePath } from "./template-path.ts";

export const getTemplate = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/:name",
  summary: "Read a workflow template",
  description:
    "Secrets are empty, with `hiddenValue`. Use the ETag as If-Match of a write. POST the response to a team to create a workflow from it.",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  params: templatePath,
  query: Type.Object({ version: versionParameter, withTasks: Type.Boolean({ default: true, description: "false leaves the tasks out" }) }),
  response: ref(workflowTemplate),
  async handle({ db, params, query }) {
    const read = await readTemplate(db, params.name, query.version);
    return reply({ headers: { etag: templateTag(read.template) }, body: viewTemplate(read, query) });
  },
});

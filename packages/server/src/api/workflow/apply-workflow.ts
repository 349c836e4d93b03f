import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import Type from "typebox";
import { defineEndpoint, reply } from "../endpoint.ts";
import { ifMatchHeader } from "../etag.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { teamPath } from "../team-path.ts";
import { saveWorkflow } from "./save-workflow.ts";
import { viewWorkflow, workflowTag } from "./workflow.view.ts";
import { replaceParameter, workflowBodyLimit } from "./workflow-path.ts";

export const applyWorkflow = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow",
  summary: "Create a workflow, or write a new version of it",
  description:
    "Found by the name in the body. Versioned content comes entirely from the body; other members that are left out don't change.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  headers: ifMatchHeader,
  keepsToWorkflow: true,
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  query: Type.Object({ replace: replaceParameter }),
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: ref(workflow),
  async handle(context) {
    const { body, query, headers } = context;
    const { read, warnings } = await saveWorkflow(context, body, { replace: query.replace });
    const missing = missingSecretsHeader(headers, body, read.version.document);
    return reply({ headers: { etag: workflowTag(read), ...missing }, body: { ...viewWorkflow(read), ...warnings } });
  },
});

import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { listTemplateChanges as list } from "../../store/workflow/workflow-templates.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewChange } from "../workflow/workflow.view.ts";
import { templatePath } from "./template-path.ts";

export const listTemplateChanges = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/:name/changelog",
  summary: "List who changed a workflow template, when and why, version by version",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  params: templatePath,
  response: Type.Array(ref(changeLogVersion)),
  async handle({ db, params }) {
    const changes = await list(db, params.name);
    if (changes.length === 0) throw new AppError("TASK_INVALID_REFERENCE", [params.name]);
    return changes.map((change) => ({ ...viewChange(change), version: change.version }));
  },
});

import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { listWorkflowVersions } from "../../store/workflow/workflow-versions.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewChange } from "./workflow.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const listWorkflowChanges = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/changelog",
  summary: "List who changed a workflow, when and why, version by version",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: Type.Array(ref(changeLogVersion)),
  async handle({ db, team, params }) {
    const workflow = await findWorkflow(db, team.id, params.workflow);
    if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [params.workflow]);
    const versions = await listWorkflowVersions(db, team.id, workflow.id);
    return versions.map((version) => ({ ...viewChange(version), version: version.version }));
  },
});

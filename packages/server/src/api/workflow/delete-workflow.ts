import { deleteWorkflow as remove } from "../../domain/workflow/delete-workflow.ts";
import { readVersion } from "../../domain/workflow/read-workflow.ts";
import { requireWorkflow } from "../../domain/workflow/require-workflow.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { viewWorkflow, workflowTag } from "./workflow.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const deleteWorkflow = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow",
  summary: "Delete a workflow with its runs, schedules and tokens",
  description: "A 409 while it has runs that are not over: cancel them first.",
  tag: "Workflows",
  permission: "workflow/delete",
  transaction: "write",
  changesRights: true,
  headers: ifMatchHeader,
  params: workflowPath,
  response: null,
  async handle({ db, team, params, headers, audit }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    const before = await readVersion(db, team.id, workflow, workflow.latestVersion);
    requireMatch(headers["if-match"], workflowTag(before));
    await remove(db, team.id, workflow);
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, before: viewWorkflow(before) });
  },
});

import Type from "typebox";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { deleteWorkflow as remove } from "../../domain/workflow/delete-workflow.ts";
import { readVersion } from "../../domain/workflow/read-workflow.ts";
import { requireWorkflow } from "../../domain/workflow/require-workflow.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { forceParameter } from "../force-parameter.ts";
import { viewWorkflow, workflowTag } from "./workflow.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const deleteWorkflow = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow",
  summary: "Delete a workflow with its runs, schedules and tokens",
  description: "Cancels its open runs. With `force=false`, 409 while there are open runs.",
  tag: "Workflows",
  permission: "workflow/delete",
  transaction: "write",
  changesRights: true,
  headers: ifMatchHeader,
  params: workflowPath,
  query: Type.Object({ force: forceParameter }),
  response: null,
  async handle({ db, team, params, query, headers, audit, services, afterCommit }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    const before = await readVersion(db, team.id, workflow, workflow.latestVersion);
    requireMatch(headers["if-match"], workflowTag(before));
    await remove(db, team.id, workflow, query.force);
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, before: viewWorkflow(before) });
    afterCommit(() => services.bus.wake(channels.engine));
  },
});

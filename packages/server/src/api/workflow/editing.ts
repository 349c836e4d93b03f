import {
  editingSeconds,
  editingSession,
  type WorkflowEditing,
  workflowEditing,
  workflowEditingRequest,
} from "@millrace/contract/workflow/workflow-editing.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { channels, placeOf } from "../../domain/run/report-changes.ts";
import type { Queryable } from "../../store/database/database.ts";
import { deleteEditor, extendEditor, listEditors } from "../../store/workflow/workflow-editors.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { defineEndpoint, type Services } from "../endpoint.ts";
import { workflowPath } from "./workflow.view.ts";

/** Who has a workflow open in an editor. This is no change of the workflow, so there is no audit record. */

const path = "/api/v2/team/:team/workflow/:workflow/editing";

export const keepEditing = defineEndpoint({
  method: "PUT",
  path,
  summary: "Say that you have a workflow open in an editor, and see who else has",
  description:
    `Counts for ${editingSeconds} seconds: repeat it while the editor is open. It locks nothing. When someone comes or goes, or has unsaved changes, the stream ` +
    "of changes of the team says `editing`; who has only stopped repeating it is missing in your next answer.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "none",
  isNoChange: true,
  params: workflowPath,
  body: workflowEditingRequest,
  response: workflowEditing,
  async handle({ db, team, params, body, principal, services }): Promise<WorkflowEditing> {
    const workflowId = await findId(db, team.id, params.workflow);
    const own = { teamId: team.id, workflowId, session: body.session, principal: principal.id };
    if (await extendEditor(db, { ...own, name: principal.name, unsaved: body.unsaved ?? false })) notify(services, team.id);
    const others = (await listEditors(db, team.id, workflowId)).filter(
      ({ principal: id, session }) => id !== principal.id || session !== body.session,
    );
    const editors = others.map((other) => ({
      ...{ name: other.name, since: other.since.toISOString(), unsaved: other.unsaved, you: other.principal === principal.id },
    }));
    return { editors, seconds: editingSeconds };
  },
});

export const endEditing = defineEndpoint({
  method: "DELETE",
  path,
  summary: "Say that you have closed the editor of a workflow",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "none",
  isNoChange: true,
  params: workflowPath,
  query: Type.Object({ session: editingSession }),
  response: null,
  async handle({ db, team, params, query, principal, services }) {
    const workflowId = await findId(db, team.id, params.workflow);
    const own = { teamId: team.id, workflowId, session: query.session, principal: principal.id };
    if (await deleteEditor(db, own)) notify(services, team.id);
  },
});

async function findId(db: Queryable, teamId: string, ref: string): Promise<string> {
  const workflow = await findWorkflow(db, teamId, ref);
  if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  return workflow.id;
}

function notify({ bus }: Services, teamId: string): void {
  bus.wake(channels.teams, `${placeOf(teamId)} editing`);
}

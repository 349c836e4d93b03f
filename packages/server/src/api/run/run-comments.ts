import { workflowRun } from "@millrace/contract/run/run.ts";
import {
  type RunComment,
  runAcknowledgementRequest,
  runComment,
  runCommentPage,
  runCommentRequest,
} from "@millrace/contract/run/run-comment.ts";
import { ref } from "@millrace/contract/schema.ts";
import { isFinal } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { mayDeleteComments } from "../../policy/teams.ts";
import {
  countComments,
  deleteAcknowledgement,
  deleteComment,
  findComment,
  insertComment,
  listComments,
  lockRunForNotes,
  type RunCommentRow,
  saveAcknowledgement,
} from "../../store/run/run-comments.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, teamParameter } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { getRunRow, reloadRun, runPath } from "./load-run.ts";

const mostComments = 200;

const shared = { tag: "Runs", keepsToWorkflow: true, params: runPath } as const;

export const listRunComments = defineEndpoint({
  ...shared,
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId/comment",
  summary: "List the comments on a run",
  description: "The oldest first.",
  permission: "workflowrun/read",
  transaction: "read",
  query: Type.Object(defaultedPageParameters),
  response: ref(runCommentPage),
  async handle({ db, team, params, query: { limit, page }, principal }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    const rows = await listComments(db, { teamId: team.id, runId: run.id }, { limit, offset: page * limit });
    return viewPage(rows.map(viewComment), { limit, page, total: run.commentCount, sorted: true });
  },
});

export const addRunComment = defineEndpoint({
  ...shared,
  method: "POST",
  path: "/api/v2/team/:team/workflowrun/:runId/comment",
  summary: "Comment on a run",
  description: `A run can have ${mostComments} comments. They are removed with the run.`,
  permission: "workflowrun/action",
  transaction: "write",
  body: ref(runCommentRequest),
  response: ref(runComment),
  async handle({ db, team, params, body, principal, services, audit, afterCommit }) {
    const { id: runId, workflowName } = await getRunRow(db, team.id, params.runId, principal);
    const text = body.text.trim();
    if (text === "") throw new AppError("VALIDATION_FAILED", ["/text is blank: write what others should know"]);
    if (!(await lockRunForNotes(db, team.id, runId))) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
    if ((await countComments(db, team.id, runId)) >= mostComments)
      throw new AppError("CONFLICT", [`The run has ${mostComments} comments, which is the limit: delete one first`]);
    const row = await insertComment(db, { teamId: team.id, runId, by: principal, text });
    audit({ kind: "workflowrun", id: runId, name: workflowName, after: { comment: row.id } });
    afterCommit(() => services.bus.wake(channels.runs, runId));
    return viewComment(row);
  },
});

export const deleteRunComment = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v2/team/:team/workflowrun/:runId/comment/:commentId",
  summary: "Delete a comment on a run",
  description: "Your own; owners of the team can delete any.",
  permission: "workflowrun/action",
  transaction: "write",
  params: Type.Object({ ...runPath.properties, team: teamParameter, commentId: Type.String({ description: "ID of the comment" }) }),
  response: null,
  async handle({ db, team, params, principal, services, audit, afterCommit }) {
    const { id: runId, workflowName } = await getRunRow(db, team.id, params.runId, principal);
    const row = isId(params.commentId) ? await findComment(db, team.id, runId, params.commentId) : undefined;
    if (!row) throw new AppError("NOT_FOUND", [`comment ${params.commentId}`]);
    if (row.createdBy !== principal.id && !mayDeleteComments(principal, team.id))
      throw new AppError("PERMISSION_DENIED", ["only its author and owners of the team can delete a comment"]);
    await deleteComment(db, team.id, row.id);
    audit({ kind: "workflowrun", id: runId, name: workflowName, before: { comment: row.id } });
    afterCommit(() => services.bus.wake(channels.runs, runId));
  },
});

export const acknowledgeRun = defineEndpoint({
  ...shared,
  method: "PUT",
  path: "/api/v2/team/:team/workflowrun/:runId/acknowledgement",
  summary: "Acknowledge a failed run",
  description: "Replaces who did before. 409 for a run that is still open, or that succeeded.",
  permission: "workflowrun/action",
  transaction: "write",
  body: ref(runAcknowledgementRequest),
  bodyOptional: true,
  response: workflowRun,
  async handle({ db, team, params, body, principal, services, audit, afterCommit }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    if (!isFinal(run.status) || run.status === "succeeded")
      throw new AppError("WORKFLOWRUN_INVALID_PHASE", [run.id, run.status, "finished without success"]);
    if (!(await lockRunForNotes(db, team.id, run.id))) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [run.id]);
    await saveAcknowledgement(db, { teamId: team.id, runId: run.id, by: principal, text: body?.text?.trim() || null });
    audit({
      ...{ kind: "workflowrun", id: run.id, name: run.workflowName },
      ...{ before: { acknowledgedBy: run.acknowledgement?.by }, after: { acknowledgedBy: principal.id } },
    });
    afterCommit(() => services.bus.wake(channels.runs, run.id));
    return reloadRun(db, services.runs, team.id, run.id);
  },
});

export const releaseRun = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v2/team/:team/workflowrun/:runId/acknowledgement",
  summary: "Withdraw the acknowledgement of a failed run",
  permission: "workflowrun/action",
  transaction: "write",
  response: workflowRun,
  async handle({ db, team, params, principal, services, audit, auditNothing, afterCommit }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    if (await deleteAcknowledgement(db, team.id, run.id)) {
      audit({ kind: "workflowrun", id: run.id, name: run.workflowName, before: { acknowledgedBy: run.acknowledgement?.by } });
      afterCommit(() => services.bus.wake(channels.runs, run.id));
    } else auditNothing();
    return reloadRun(db, services.runs, team.id, run.id);
  },
});

function viewComment({ id, text, createdBy, creatorName, createdAt }: RunCommentRow): RunComment {
  return { id, text, creationDate: createdAt.toISOString(), createdByRef: parseInitiator(createdBy).ref ?? "", createdByName: creatorName };
}

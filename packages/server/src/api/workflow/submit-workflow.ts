import { type WorkflowSubmitRequest, workflowRun, workflowSubmitRequest } from "@millrace/contract/run.ts";
import Type from "typebox";
import { submitRun, submitRunAlone } from "../../domain/run/submit-run.ts";
import type { Database } from "../../store/database.ts";
import { defineEndpoint } from "../endpoint.ts";
import { presentSubmission } from "../present-body.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewRun } from "../run/run.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const submitWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/submit",
  summary: "Submit a run of a workflow",
  description:
    "Records the run with all its task runs. By default it waits in the queue for an engine and for the team's quota of concurrent runs. " +
    "With start=true it starts in the same transaction, or is refused with 429 when the quota is used up. The answer has no `tasks`; read the run for them.",
  tag: "Workflows",
  permission: "workflow/action",
  transaction: "write",
  opensTransaction: true,
  idempotent: true,
  params: workflowPath,
  query: Type.Object({ start: Type.Boolean({ default: false, description: "Start now instead of queueing" }) }),
  body: workflowSubmitRequest,
  presentBody: presentSubmission,
  response: workflowRun,
  async handle({ db, isInTransaction, team, params, query, body, principal, services, auditRecord, afterCommit }) {
    const request = body as WorkflowSubmitRequest;
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: params.workflow });
    const input = { teamId: team.id, workflow: params.workflow, request, start: query.start, initiatedBy: principal.id, audit };
    const run = await (isInTransaction
      ? submitRun(db, services.runs, input)
      : submitRunAlone(db as unknown as Database, services.runs, input));
    afterCommit(() => publishSubmitted(services, run));
    return viewRun(run.row);
  },
});

import type { WorkflowRun } from "@millrace/contract/run.ts";
import { safeHeaders } from "../../core/event-params.ts";
import { startWorkflow } from "../../domain/event/start-triggered.ts";
import type { Transaction } from "../../store/database.ts";
import type { Context } from "../endpoint.ts";
import { findTarget } from "../event/find-target.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewRun } from "../run/run.view.ts";

export type Payload = Record<string, unknown>;
export type WebhookContext = Context<unknown, { ref?: string }, Payload, Transaction>;

/** Starts the workflow with the payload. Its conditions look at the payload, too. */
export async function startByWebhook(context: WebhookContext, ref: string): Promise<WorkflowRun> {
  const { db, body, query, headers, services, principal, auditRecord, afterCommit } = context;
  const workflow = await findTarget(db, ref, principal);
  const run = await startWorkflow(db, services.runs, workflow, {
    trigger: "webhook",
    document: body,
    params: [
      { name: "data", value: body },
      { name: "headers", value: safeHeaders(headers) },
      { name: "query", value: query },
    ],
    initiatedBy: principal.id,
    audit:
      ({ name, teamId }) =>
      (runId) =>
        auditRecord({ kind: "workflowrun", id: runId, name, teamId }),
  });
  afterCommit(() => publishSubmitted(services, run));
  return viewRun(run.row);
}

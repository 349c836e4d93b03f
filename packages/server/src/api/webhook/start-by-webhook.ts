import type { WorkflowRun } from "@millrace/contract/run.ts";
import { safeHeaders } from "../../core/event-params.ts";
import { answerOnce, claimDeliveries } from "../../domain/event/answer-once.ts";
import { type Arrival, startWorkflow } from "../../domain/event/start-triggered.ts";
import type { Transaction } from "../../store/database.ts";
import type { Context } from "../endpoint.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewRun } from "../run/run.view.ts";
import { type ProvenWebhook, proveWebhook } from "./prove-webhook.ts";

export type Payload = Record<string, unknown>;
export type WebhookContext = Context<unknown, { ref?: string }, Payload, Transaction>;

/** Starts the workflow with the payload, once for each signed delivery. Its conditions look at the payload, too. */
export async function startByWebhook(context: WebhookContext, ref: string): Promise<WorkflowRun> {
  const { db, services, afterCommit } = context;
  const proven = await proveWebhook(context, ref);
  const start = async () => {
    const run = await startWorkflow(db, services.runs, proven.workflow, arrivalOf(context, proven.isSigned));
    afterCommit(() => publishSubmitted(services, run));
    return viewRun(run.row);
  };
  const identity = deliveryOf(context, proven);
  if (identity === undefined) return start();
  const key = { scope: `${proven.workflow.teamId}/${proven.workflow.id}`, path: "/api/v2/webhook", identity };
  return answerOnce(db, await claimDeliveries(db, [key]), key, start);
}

/** Who sends no credential has no Idempotency-Key of the usual kind (http/serve-endpoint.ts): here it counts behind the signature. */
function deliveryOf({ headers, principal }: WebhookContext, { isSigned, deliveryId }: ProvenWebhook): string[] | undefined {
  if (!isSigned) return undefined;
  if (deliveryId !== undefined) return ["webhook-id", deliveryId];
  const key = principal.kind === "integration" ? headers["idempotency-key"] : undefined;
  return key === undefined ? undefined : ["idempotency-key", key];
}

function arrivalOf({ body, query, headers, principal, auditRecord }: WebhookContext, isSigned: boolean): Arrival {
  return {
    trigger: "webhook",
    document: body,
    isSigned,
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
  };
}

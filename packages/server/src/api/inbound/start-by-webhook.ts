import type { WorkflowRun } from "@millrace/contract/run.ts";
import { inboundWebhook } from "../../core/inbound/inbound-events.ts";
import { safeHeaders } from "../../core/parameter/event-params.ts";
import { joinLineages, lineageOfEvent } from "../../core/run/lineage.ts";
import { answerOnce, claimDeliveries, type DeliveryKey } from "../../domain/inbound/answer-once.ts";
import { startWorkflow, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import { inTransaction } from "../in-transaction.ts";
import { lineageOf } from "../lineage-header.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { type ProvenWebhook, proveWebhook } from "./prove-webhook.ts";
import { startAlone } from "./start-alone.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** Starts the workflow with the payload, once for each signed delivery. Its conditions look at the payload, too. */
export async function startByWebhook(context: WebhookContext, ref: string): Promise<WorkflowRun> {
  const proven = await proveWebhook(context, ref);
  const arrival = arrivalOf(context, proven.isSigned);
  const delivery = deliveryOf(context, proven);
  const alone = context.isInTransaction ? undefined : await startAlone(context, proven.workflow, arrival, delivery);
  return alone ?? inTransaction(context, (inner) => startInTransaction(inner, proven.workflow, arrival, delivery));
}

async function startInTransaction(
  { db, principal, services, afterCommit }: WebhookContext,
  workflow: WorkflowReference,
  arrival: TriggerEvent,
  delivery: DeliveryKey | undefined,
): Promise<WorkflowRun> {
  const start = async () => {
    const run = await startWorkflow(db, services.runs, workflow, arrival);
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal);
  };
  return delivery ? answerOnce(db, await claimDeliveries(db, [delivery]), delivery, start) : start();
}

/** Who sends no credential has no Idempotency-Key of the usual kind (http/serve-endpoint.ts): here it counts behind the signature. */
function deliveryOf({ headers, principal }: WebhookContext, { workflow, isSigned, deliveryId }: ProvenWebhook): DeliveryKey | undefined {
  if (!isSigned) return undefined;
  const scoped = { scope: `${workflow.teamId}/${workflow.id}`, path: "/api/v2/webhook" };
  if (deliveryId !== undefined) return { ...scoped, identity: ["webhook-id", deliveryId] };
  const key = principal.kind === "integration" ? headers["idempotency-key"] : undefined;
  return key === undefined ? undefined : { ...scoped, identity: ["idempotency-key", key] };
}

function arrivalOf({ body, query, headers, principal, auditRecord }: WebhookContext, isSigned: boolean): TriggerEvent {
  return {
    ...inboundWebhook(body, { headers: safeHeaders(headers), query }),
    trigger: "webhook",
    isSigned,
    initiatedBy: principal.id,
    lineage: joinLineages(lineageOfEvent(body), lineageOf({ headers })),
    audit:
      ({ name, teamId }) =>
      (runId) =>
        auditRecord({ kind: "workflowrun", id: runId, name, teamId }),
  };
}

import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { isId } from "../../base/text/uuid.ts";
import { inboundWebhook, safeHeaders } from "../../core/inbound/inbound-events.ts";
import { joinLineages, lineageOf, lineageOfEvent } from "../../core/run/lineage.ts";
import { traceparentOfEvent } from "../../core/run/run-trace.ts";
import { answerOnce, claimDeliveries, type DeliveryKey } from "../../domain/inbound/answer-once.ts";
import { startWorkflow, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import { type OpenWebhookSecrets, openWebhookSecrets } from "../../domain/inbound/webhook-secrets.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { isWebhookSigned, readWebhookProof, type WebhookProof, webhookProofFault } from "../../integrations/signature/webhook-signature.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { findChatWorkspace, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import type { Context } from "../endpoint.ts";
import { inTransaction } from "../in-transaction.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { findTarget, startAlone } from "./find-target.ts";

/** Starts the workflow with the payload, once for each signed delivery. Its conditions check the payload, too. */
export async function startByWebhook(context: WebhookContext, ref: string, chat?: ChatOrigin): Promise<WorkflowRun> {
  const proven = await proveWebhook(context, ref);
  if (chat !== undefined) await requireLinked(context, chat, proven.workflow);
  const event = triggerEventOf(context, proven.isSigned);
  const delivery = deliveryOf(context, proven) ?? deliveryOfChat(chat, proven);
  const alone = await startAlone(context, proven.workflow, event, delivery);
  return alone ?? inTransaction(context, (inner) => startInTransaction(inner, proven.workflow, event, delivery));
}

/** The sender of a payload of the chat platform. The app's signature covers everything, but strangers may have installed the app, too. */
export interface ChatOrigin {
  /** The platform's ID of the workspace. */
  workspace: unknown;
  /** The same each time the platform sends it. */
  event: readonly string[] | undefined;
}

export function chatOrigin({ type, team_id, team, event_id, trigger_id }: Payload): ChatOrigin {
  const [workspace, id] = type === "shortcut" ? [membersOf(team)["id"], trigger_id] : [team_id, event_id];
  return { workspace, event: typeof id === "string" && id !== "" ? ["chat", String(type), id] : undefined };
}

async function requireLinked({ db }: WebhookContext, { workspace }: ChatOrigin, { id, teamId }: WorkflowReference): Promise<void> {
  const known = typeof workspace === "string" && !workspace.includes("\0") ? await findChatWorkspace(db, workspace) : undefined;
  const teams = known === undefined ? [] : await listTeamsOfChatWorkspace(db, known.id);
  if (!teams.some((team) => team.id === teamId))
    throw new AppError("WORKFLOW_INVALID_REFERENCE", [`${id} in a team that the workspace of this payload is linked to`]);
}

function deliveryOfChat(chat: ChatOrigin | undefined, { workflow }: ProvenWebhook): DeliveryKey | undefined {
  return chat?.event && { scope: `${workflow.teamId}/${workflow.id}`, path: "/api/v2/webhook", identity: chat.event };
}

async function startInTransaction(
  { db, principal, services, afterCommit }: WebhookContext<Transaction>,
  workflow: WorkflowReference,
  event: TriggerEvent,
  delivery: DeliveryKey | undefined,
): Promise<WorkflowRun> {
  const start = async () => {
    const run = await startWorkflow(db, services.runs, workflow, event);
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal);
  };
  return delivery ? answerOnce(db, await claimDeliveries(db, [delivery]), delivery, start) : start();
}

/**
 * Without a credential, the usual Idempotency-Key does not apply (http/serve-endpoint.ts): here it counts after the signature is checked.
 */
function deliveryOf({ headers, principal }: WebhookContext, { workflow, isSigned, deliveryId }: ProvenWebhook): DeliveryKey | undefined {
  if (!isSigned) return undefined;
  const scoped = { scope: `${workflow.teamId}/${workflow.id}`, path: "/api/v2/webhook" };
  if (deliveryId !== undefined) return { ...scoped, identity: ["webhook-id", deliveryId] };
  const key = principal.kind === "integration" ? headers["idempotency-key"] : undefined;
  return key === undefined ? undefined : { ...scoped, identity: ["idempotency-key", key] };
}

function triggerEventOf({ body, query, headers, traceparent, principal, auditRecord }: WebhookContext, isSigned: boolean): TriggerEvent {
  return {
    ...inboundWebhook(body, { headers: safeHeaders(headers), query }),
    trigger: "webhook",
    isSigned,
    initiatedBy: principal.id,
    traceparent: traceparentOfEvent(body) ?? traceparent,
    lineage: joinLineages(lineageOfEvent(body), lineageOf({ headers })),
    audit:
      ({ name, teamId }) =>
      (runId) =>
        auditRecord({ kind: "workflowrun", id: runId, name, teamId }),
  };
}

interface ProvenWebhook {
  workflow: WorkflowReference;
  /** With the secret of the workflow. */
  isSigned: boolean;
  /** Id of the delivery, if it is signed. */
  deliveryId?: string | undefined;
}

/**
 * The workflow of a webhook, and whether it is signed with the secret of that workflow. A credential determines what is within reach.
 * Without one only the signature counts, and the refusal does not reveal whether such a workflow or secret exists.
 */
async function proveWebhook(context: WebhookContext, ref: string): Promise<ProvenWebhook> {
  const { headers, principal } = context;
  const proof = readWebhookProof(headers);
  const mustSign = principal.id === "integration:webhook";
  const workflow = mustSign ? await findNamed(context, ref) : await findTarget(context, ref);
  const fault = proof && (await faultOf(context, proof, workflow));
  if (mustSign && (workflow === undefined || proof === undefined || fault !== undefined))
    throw new AppError("UNAUTHENTICATED", [fault ?? unfit]);
  const isSigned = proof !== undefined && fault === undefined;
  return { workflow: workflow!, isSigned, ...(isSigned && { deliveryId: proof.id }) };
}

const unfit =
  "the signature is wrong; ref must be the ID of the workflow, the key its webhook secret, and the signed text the exact bytes of the body";

/** Without a workflow or a secret, the same amount of work is done as with one. */
const nothing = { secrets: ["whsec_bm90aGluZw=="], now: undefined };

async function findNamed({ db, services }: WebhookContext, ref: string): Promise<WorkflowReference | undefined> {
  return isId(ref) ? services.runs.batches.findWorkflowById(db, ref.toLowerCase()) : undefined;
}

async function faultOf(
  { db, keyring, rawBytes }: WebhookContext,
  proof: WebhookProof,
  workflow: WorkflowReference | undefined,
): Promise<string | undefined> {
  const found = workflow && (await openWebhookSecrets(db, keyring, workflow.teamId, workflow.id));
  const { secrets, now }: OpenWebhookSecrets | typeof nothing = found ?? nothing;
  if (!isWebhookSigned(proof, secrets, rawBytes) || now === undefined) return unfit;
  return webhookProofFault(proof, now.getTime() / 1000);
}

type Payload = Record<string, unknown>;

/** The query of a webhook: `ref` names its workflow. */
export type WebhookContext<Db extends Queryable = Queryable> = Context<unknown, { ref?: string }, Payload, Db>;

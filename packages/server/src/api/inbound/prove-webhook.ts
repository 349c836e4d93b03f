import { AppError } from "../../base/error/app-error.ts";
import { type OpenWebhookSecrets, openWebhookSecrets } from "../../domain/inbound/open-webhook-secrets.ts";
import { isWebhookSigned, readWebhookProof, type WebhookProof, webhookProofFault } from "../../integrations/signature/webhook-signature.ts";
import { findWorkflowById, isId, type WorkflowReference } from "../../store/team/directory.ts";
import { findTarget } from "./find-target.ts";
import type { WebhookContext } from "./webhook-context.ts";

export interface ProvenWebhook {
  workflow: WorkflowReference;
  /** With the secret of the workflow. */
  isSigned: boolean;
  /** Number of the delivery, where that is signed. */
  deliveryId?: string | undefined;
}

/**
 * The workflow that a webhook is for, and whether it is signed with the secret of that workflow. With a credential, that one says
 * what is within reach; without one only the signature counts, and whether there is such a workflow or such a secret can't be told
 * from the refusal.
 */
export async function proveWebhook(context: WebhookContext, ref: string): Promise<ProvenWebhook> {
  const { db, headers, principal } = context;
  const proof = readWebhookProof(headers);
  const mustSign = principal.id === "integration:webhook";
  const workflow = mustSign ? await findNamed(context, ref) : await findTarget(db, ref, principal);
  const fault = proof && (await faultOf(context, proof, workflow));
  if (mustSign && (workflow === undefined || proof === undefined || fault !== undefined))
    throw new AppError("UNAUTHENTICATED", [fault ?? unfit]);
  const isSigned = proof !== undefined && fault === undefined;
  return { workflow: workflow!, isSigned, ...(isSigned && { deliveryId: proof.id }) };
}

const unfit =
  "the signature is wrong; ref must be the ID of the workflow, the key its webhook secret, and the signed text the exact bytes of the body";

/** Without a workflow or a secret as much is computed as with one. */
const nothing = { secrets: ["whsec_bm90aGluZw=="], now: undefined };

async function findNamed({ db }: WebhookContext, ref: string): Promise<WorkflowReference | undefined> {
  return isId(ref) ? findWorkflowById(db, ref.toLowerCase()) : undefined;
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

import type { TriggeredRuns } from "@millrace/contract/inbound/event.ts";
import { AppError } from "../../base/error/app-error.ts";
import { eventHead, installationRef } from "../../core/inbound/codehost-payload.ts";
import { inboundCodehostEvent } from "../../core/inbound/inbound-events.ts";
import { lineageOf } from "../../core/run/lineage.ts";
import { answerOnce, claimDeliveries } from "../../domain/inbound/answer-once.ts";
import { startTriggered, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import { recordInstallationEvent } from "../../domain/integration/installations.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { channels, publishSubmitted } from "../../domain/run/report-changes.ts";
import { codehostSignatureFault } from "../../integrations/signature/platform-signatures.ts";
import { allows } from "../../policy/allows.ts";
import { teamsTriggeredBy } from "../../policy/teams.ts";
import type { Transaction } from "../../store/database/database.ts";
import { findInstallation, listLinkedTeams } from "../../store/integration/installations.ts";
import { listTriggeredWorkflows } from "../../store/workflow/triggered-workflows.ts";
import type { Principal } from "../endpoint.ts";
import type { WebhookContext } from "./start-by-webhook.ts";
import { viewTriggered } from "./triggered.view.ts";

/**
 * Events of the code host's app. If the instance has a webhook secret, each must be signed with it and then applies to every linked team;
 * without one, the caller's credential decides whose workflows may be started. Changes of installations need an instance-wide permission.
 */
export async function receiveCodehostEvent(context: WebhookContext<Transaction>, event: string): Promise<TriggeredRuns> {
  const { db, headers, principal } = context;
  const isSigned = await checkSignature(context);
  const delivery = headers["x-codehost-delivery"];
  const answer = () => answerCodehostEvent(context, event, isSigned);
  if (delivery === undefined) return answer();
  const scope = isSigned ? "codehost" : principal.id;
  const key = { scope, path: "/api/v2/webhook", identity: [delivery] };
  return answerOnce(db, await claimDeliveries(db, [key]), key, answer);
}

/** True if the signature proves that the event is genuine. */
async function checkSignature({ db, keyring, headers, rawBytes, principal }: WebhookContext): Promise<boolean> {
  const secret = (await readIntegrationSettings(db, keyring)).get("codehost.webhookSecret");
  if (secret === "") {
    if (principal.kind !== "integration") return false;
    throw new AppError("UNAUTHENTICATED", [
      "the setting codehost.webhookSecret is empty, so signatures can't be checked; send a token as well",
    ]);
  }
  const fault = codehostSignatureFault(secret, headers["x-codehost-signature-256"], rawBytes);
  if (fault !== undefined) throw new AppError("UNAUTHENTICATED", [fault]);
  return true;
}

async function answerCodehostEvent(context: WebhookContext<Transaction>, event: string, isSigned: boolean): Promise<TriggeredRuns> {
  const { db, body, principal, audit } = context;
  const ref = installationRef(body);
  if (ref === undefined) {
    if (event === "ping") return { runs: [], refused: [] };
    throw new AppError("BAD_REQUEST", [
      "installation.id is missing: Millrace accepts events of the codehost's app, not of a webhook of a single repository",
    ]);
  }
  if (event === "installation" || event === "installation_repositories") {
    if (!isSigned && !allows(principal, "webhook/action"))
      throw new AppError("PERMISSION_DENIED", [
        "an event that changes an installation must be signed, or sent with a credential that has webhook/action on the whole instance",
      ]);
    const change = await recordInstallationEvent(db, event, ref, body);
    if (change) audit({ kind: "integration", ...change });
    if (event === "installation") return { runs: [], refused: [] };
  }
  return startLinked(context, event, ref, isSigned);
}

/**
 * Workflows of the linked teams, within the caller's reach. A suspended installation starts nothing, even if events still arrive from it.
 */
async function startLinked(context: WebhookContext<Transaction>, event: string, ref: string, isSigned: boolean): Promise<TriggeredRuns> {
  const { db, services, principal, afterCommit } = context;
  const installation = await findInstallation(db, ref);
  if (installation?.status !== "active") return { runs: [], refused: [] };
  const teams = withinReach(await listLinkedTeams(db, installation.id), principal, isSigned);
  const workflows = await listTriggeredWorkflows(db, "codehost", teams);
  const mine = workflows.filter(({ id }) => isSigned || principal.workflowId === undefined || id === principal.workflowId);
  const started = await startTriggered(db, services.runs, mine, triggerEventOf(context, event, ref));
  afterCommit(() => {
    for (const run of started.runs) publishSubmitted(services, run);
    if (mine.some(({ trigger }) => trigger.reportStatus)) services.bus.wake(channels.events);
  });
  return viewTriggered(started);
}

function withinReach(linked: readonly string[], principal: Principal, isSigned: boolean): readonly string[] {
  const reachable = isSigned ? undefined : teamsTriggeredBy(principal);
  return reachable === undefined ? linked : linked.filter((teamId) => reachable.includes(teamId));
}

function triggerEventOf({ body, headers, traceparent, principal, auditRecord }: WebhookContext, event: string, ref: string): TriggerEvent {
  const head = eventHead(event, body);
  return {
    ...inboundCodehostEvent(event, headers["x-codehost-delivery"], body),
    trigger: "codehost",
    initiatedBy: principal.id,
    traceparent,
    lineage: lineageOf({ headers }),
    reportTo: head && { ...head, installationRef: ref },
    audit:
      ({ name, teamId }) =>
      (runId) =>
        auditRecord({ kind: "workflowrun", id: runId, name, teamId, after: { event } }),
  };
}

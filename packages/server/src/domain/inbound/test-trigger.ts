import type { Trigger, WorkflowTriggers } from "@millrace/contract/inbound/trigger.ts";
import type { TestedKind, TriggerCheck, TriggerTest, TriggerTestRequest } from "@millrace/contract/inbound/trigger-test.ts";
import type { TriggerKind } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { readStructuredEvent } from "../../core/inbound/cloud-event.ts";
import { installationRef } from "../../core/inbound/codehost-payload.ts";
import {
  type InboundEventWithParams,
  inboundCloudEvent,
  inboundCodehostEvent,
  inboundOutcome,
  inboundWebhook,
} from "../../core/inbound/inbound-events.ts";
import { lineageOfEvent } from "../../core/run/lineage.ts";
import { checkTrigger } from "../../core/workflow/checks/check-trigger.ts";
import { mergeTriggers, triggerFaults } from "../../core/workflow/workflow-document-triggers.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findInstallationOfTeam, findLinkedInstallation } from "../../store/integration/installations.ts";
import { findEndedRun } from "../../store/run/outcome-starts.ts";
import { findRunEndEvent } from "../../store/run/run-events.ts";
import { findWorkflow, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { whyLoop } from "../run/refuse-loop.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { isTriedAgain, whyBarred } from "./start-by-outcome.ts";

/** The base URL for events of this instance. */
interface TestContext {
  publicUrl: string;
}

/**
 * Whether an inbound event would match a trigger, and what would then be submitted. Nothing is started or stored.
 * @throws WORKFLOW_INVALID_REFERENCE; VALIDATION_FAILED for a trigger that could not be saved, or for an event that could not arrive
 */
export async function testTrigger(
  db: Queryable,
  { publicUrl }: TestContext,
  team: { id: string; status: string },
  ref: string,
  request: TriggerTestRequest,
): Promise<TriggerTest> {
  const { kind } = request;
  const workflow = await findWorkflow(db, team.id, ref);
  if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  const trigger = triggerOf(workflow, request);
  const inbound = await inboundEventOf(db, publicUrl, team.id, request);
  const checks: TriggerCheck[] = [];
  for (const check of checkTrigger(trigger, inbound)) {
    checks.push(check);
    // Lets other requests run in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const isTop = (path: string) => path.split("/").length === 3;
  return {
    holds: checks.every(({ path, holds }) => holds || !isTop(path)),
    checks,
    blockers: await findBlockers(db, { team, workflow, kind, trigger, request }),
    attributes: inbound.attributes ?? {},
    words: Object.fromEntries(Object.entries(inbound.words ?? {}).map(([word, texts]) => [word, [...texts]])),
    submission: { ...submittedAs(kind), params: inbound.params },
  };
}

/** Only the service itself starts runs with the trigger `workflow`, so a test of it is submitted without one. */
function submittedAs(kind: TestedKind): { trigger?: TriggerKind } {
  return kind === "workflow" ? {} : { trigger: kind };
}

function triggerOf({ triggers }: WorkflowRow, { kind, trigger }: TriggerTestRequest): Trigger {
  const merged: WorkflowTriggers = mergeTriggers({ [kind]: trigger ?? {} }, triggers);
  const place = `/triggers/${kind}/`;
  const faults = triggerFaults(merged).filter(({ path }) => path.startsWith(place));
  refuseFaults(faults.map(({ path, message }) => ({ path: `/trigger/${path.slice(place.length)}`, message })));
  return merged[kind];
}

async function inboundEventOf(
  db: Queryable,
  publicUrl: string,
  teamId: string,
  { kind, payload, event, workflowRunRef }: TriggerTestRequest,
): Promise<InboundEventWithParams> {
  switch (kind) {
    case "webhook":
      return inboundWebhook(needed(payload, "payload"), { headers: {}, query: {} });
    case "event":
      return arrivedCloudEvent(needed(payload, "payload"));
    case "codehost":
      return inboundCodehostEvent(needed(event, "event"), undefined, needed(payload, "payload"));
    case "workflow":
      return arrivedRunEnd(db, publicUrl, teamId, needed(workflowRunRef, "workflowRunRef"));
  }
}

function needed<Value>(value: Value | null | undefined, member: string): Value {
  if (value !== null && value !== undefined) return value;
  throw refusal(`/${member}`, "is missing; this kind of trigger needs it");
}

function arrivedCloudEvent(payload: Record<string, unknown>): InboundEventWithParams {
  const read = readStructuredEvent(payload);
  if (!("faults" in read)) return inboundCloudEvent(read);
  refuseFaults(read.faults.map(({ path, message }) => ({ path: `/payload${path}`, message })));
  throw new Error("faults were not refused");
}

async function arrivedRunEnd(db: Queryable, publicUrl: string, teamId: string, runId: string): Promise<InboundEventWithParams> {
  const change = await findRunEndEvent(db, teamId, runId);
  if (change === undefined) throw refusal("/workflowRunRef", "is a run that has not ended yet");
  return inboundOutcome(change, publicUrl);
}

function refusal(path: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`${path.slice(1)} ${message}`], { details: [{ path, message }] });
}

interface Tested {
  team: { id: string; status: string };
  workflow: WorkflowRow;
  kind: TestedKind;
  trigger: Trigger;
  request: TriggerTestRequest;
}

/** What would prevent a start although all conditions hold, as sentences. The submission checks quotas and parameters. */
async function findBlockers(db: Queryable, { team, workflow, kind, trigger, request }: Tested): Promise<string[]> {
  const found = [
    team.status !== "active" && "The team is inactive.",
    workflow.status !== "active" && `Workflow ${workflow.name} is inactive.`,
    !trigger.enabled && `The trigger ${kind} of workflow ${workflow.name} is off.`,
    kind === "codehost" && (await linkBlocker(db, team.id, request.payload ?? {})),
    (kind === "event" || kind === "webhook") && (await loopBlocker(db, team.id, workflow, request.payload)),
    kind === "workflow" && (await outcomeBlocker(db, team.id, workflow, request.workflowRunRef ?? "")),
  ];
  return found.filter((sentence) => typeof sentence === "string");
}

/** Events of an installation reach the teams that are linked to it. */
async function linkBlocker(db: Queryable, teamId: string, payload: Record<string, unknown>): Promise<string | undefined> {
  if ((await findInstallationOfTeam(db, teamId)) === undefined) return "The team is not linked to the codehost, so no event of it arrives.";
  const ref = installationRef(payload);
  if (ref === undefined) return "The payload has no installation.id: Millrace accepts only events of the codehost's app.";
  const installation = await findLinkedInstallation(db, teamId, ref);
  if (installation === undefined) return `The team is not linked to the installation ${ref} of the codehost.`;
  return installation.status === "active" ? undefined : `The installation ${ref} of the codehost is suspended.`;
}

/** The service's own event that comes back to it. */
async function loopBlocker(db: Queryable, teamId: string, workflow: WorkflowRow, payload: unknown): Promise<string | undefined> {
  const why = await whyLoop(db, { teamId, workflow, lineage: lineageOfEvent(payload) });
  return why && `${why}.`;
}

/** A loop, too long a chain, or a run that is retried. */
async function outcomeBlocker(db: Queryable, teamId: string, workflow: WorkflowRow, runId: string): Promise<string | undefined> {
  const change = await findRunEndEvent(db, teamId, runId);
  const run = await findEndedRun(db, teamId, runId);
  if (change === undefined || run === undefined) return undefined;
  if (isTriedAgain(change, run)) return "The run is tried again by itself: its last try counts.";
  const barred = await whyBarred(db, teamId, run, [{ teamId, id: workflow.id, name: workflow.name }]);
  const message = barred.get(workflow.id)?.message;
  return message ? `${message}.` : undefined;
}

import type { TriggerKind } from "@millrace/contract/status.ts";
import type { Trigger, WorkflowTriggers } from "@millrace/contract/trigger.ts";
import type { TestedKind, TriggerCheck, TriggerTest, TriggerTestRequest } from "@millrace/contract/trigger-test.ts";
import { AppError } from "../../base/error/app-error.ts";
import { readStructuredEvent } from "../../core/inbound/cloud-event.ts";
import {
  type InboundEventWithParams,
  inboundCloudEvent,
  inboundCodehostEvent,
  inboundOutcome,
  inboundWebhook,
} from "../../core/inbound/inbound-events.ts";
import { checkTrigger } from "../../core/workflow/check-trigger.ts";
import { mergeTriggers, triggerFaults } from "../../core/workflow/workflow-document-triggers.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRunEndEvent } from "../../store/run/run-end-events.ts";
import { findWorkflow, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { findBlockers } from "./find-blockers.ts";

/** Where, in which words events of this instance are written. */
interface TestContext {
  publicUrl: string;
}

/**
 * Whether something that could arrive fits a trigger, and what would then be submitted. Nothing is started, and nothing is kept.
 * @throws WORKFLOW_INVALID_REFERENCE; VALIDATION_FAILED for a trigger that could not be saved, or for what could not arrive
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
  const arrived = await arrivedOf(db, publicUrl, team.id, request);
  const checks: TriggerCheck[] = [];
  for (const check of checkTrigger(trigger, arrived)) {
    checks.push(check);
    // Others have their turn between them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const isTop = (path: string) => path.split("/").length === 3;
  return {
    holds: checks.every(({ path, holds }) => holds || !isTop(path)),
    checks,
    blockers: await findBlockers(db, { team, workflow, kind, trigger, request }),
    attributes: arrived.attributes ?? {},
    words: Object.fromEntries(Object.entries(arrived.words ?? {}).map(([word, texts]) => [word, [...texts]])),
    submission: { ...submittedAs(kind), params: arrived.params },
  };
}

/** Only the service itself starts runs with the trigger `workflow`: a try of it is submitted without one. */
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

async function arrivedOf(
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

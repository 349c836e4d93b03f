import type { Trigger } from "@millrace/contract/trigger.ts";
import type { TestedKind, TriggerTestRequest } from "@millrace/contract/trigger-test.ts";
import { installationRef } from "../../core/inbound/codehost-payload.ts";
import { lineageOfEvent } from "../../core/run/lineage.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findInstallationOfTeam, findLinkedInstallation } from "../../store/integration/installations.ts";
import { findEndedRun } from "../../store/run/outcome-starts.ts";
import { findRunEndEvent } from "../../store/run/run-end-events.ts";
import type { WorkflowRow } from "../../store/workflow/workflows.ts";
import { whyLoop } from "../run/refuse-loop.ts";
import { isTriedAgain, whyBarred } from "./start-by-outcome.ts";

interface Tested {
  team: { id: string; status: string };
  workflow: WorkflowRow;
  kind: TestedKind;
  trigger: Trigger;
  request: TriggerTestRequest;
}

/**
 * What would keep it from starting a run although all conditions held, as sentences. Quotas and parameters are for the submission to check.
 */
export async function findBlockers(db: Queryable, { team, workflow, kind, trigger, request }: Tested): Promise<string[]> {
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

/** The service's own event, which comes back. */
async function loopBlocker(db: Queryable, teamId: string, workflow: WorkflowRow, payload: unknown): Promise<string | undefined> {
  const why = await whyLoop(db, { teamId, workflow, lineage: lineageOfEvent(payload) });
  return why && `${why}.`;
}

/** A loop, too long a chain, or a run that is tried again. */
async function outcomeBlocker(db: Queryable, teamId: string, workflow: WorkflowRow, runId: string): Promise<string | undefined> {
  const change = await findRunEndEvent(db, teamId, runId);
  const run = await findEndedRun(db, teamId, runId);
  if (change === undefined || run === undefined) return undefined;
  if (isTriedAgain(change, run)) return "The run is tried again by itself: its last try counts.";
  const barred = await whyBarred(db, teamId, run, [{ teamId, id: workflow.id, name: workflow.name }]);
  const message = barred.get(workflow.id)?.message;
  return message ? `${message}.` : undefined;
}

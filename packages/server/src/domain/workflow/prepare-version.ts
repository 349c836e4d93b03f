import type { WorkflowInput } from "@millrace/contract/workflow.ts";
import type { Keyring } from "../../base/keyring.ts";
import { type FormerNames, newcomersOf } from "../../core/forerunners.ts";
import type { Quotas } from "../../core/quota.ts";
import { workflowParametersPlace } from "../../core/sealed-places.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import type { WorkflowDocument } from "../../core/workflow-document.ts";
import { findOversizedWorkspace, storageFaults } from "../../core/workflow-document-checks.ts";
import type { Queryable } from "../../store/database.ts";
import type { UsedTaskVersion } from "../../store/workflow-versions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { checkTriggerWorkflows } from "./check-trigger-workflows.ts";
import { checkWorkflowRefs } from "./check-workflow-refs.ts";
import { completeDocument, sealComplete } from "./complete-document.ts";
import { refuseFaults } from "./refuse-faults.ts";

/** For whom a workflow is saved, and with what. */
export interface SaveContext {
  team: { id: string; name: string };
  /** Name of the principal, for the changelog. */
  author: string;
  keyring: Keyring;
  quotas: Quotas;
  storage: InstanceSettings["storage"];
}

/** A document that can be stored: checked, completed, its tasks found, its secrets sealed. */
export interface PreparedVersion {
  document: WorkflowDocument;
  used: UsedTaskVersion[];
}

/**
 * Turns what a client wrote into what is stored, and refuses what could not be run.
 *
 * @param before the document that this one follows, whose secrets it keeps where it has none, and how its tasks are known by their nodes
 */
export async function prepareVersion(
  db: Queryable,
  context: SaveContext,
  name: string,
  input: WorkflowInput,
  before: { stored?: WorkflowDocument; formerNames?: FormerNames | undefined } = {},
): Promise<PreparedVersion> {
  const { team } = context;
  const complete = await completeDocument(db, team, input);
  refuseFaults(storageFaults(complete.document.workspaces, context.storage));
  refuseOversized(context, complete.document);
  await checkWorkflowRefs(db, team.id, name, complete.document);
  await checkTriggerWorkflows(db, team.id, name, input.triggers);
  const place = workflowParametersPlace(team.id);
  const forerunner = { stored: before.stored, newcomers: newcomersOf(input, before.formerNames) };
  return { document: sealComplete(complete, (clear) => context.keyring.sealText(clear, place), forerunner), used: complete.used };
}

function refuseOversized({ team, quotas }: SaveContext, document: WorkflowDocument): void {
  const oversized = findOversizedWorkspace(document.workspaces, quotas);
  if (oversized) throw quotaExceeded(oversized.quota, { team: team.name, used: oversized.asked, max: oversized.maxGi });
}

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
import { type CheckMode, saving } from "./check-mode.ts";
import { checkTriggerWorkflows } from "./check-trigger-workflows.ts";
import { checkWorkflowRefs } from "./check-workflow-refs.ts";
import { completeDocument, sealComplete } from "./complete-document.ts";
import { refuseFaults } from "./refuse-faults.ts";
import type { ResolvedTasks } from "./resolve-tasks.ts";

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
  mode: CheckMode = saving,
): Promise<PreparedVersion> {
  const { team } = context;
  const complete = await checkVersion(db, context, name, input, mode);
  const place = workflowParametersPlace(team.id);
  const forerunner = { stored: before.stored, newcomers: newcomersOf(input, before.formerNames) };
  return { document: sealComplete(complete, (clear) => context.keyring.sealText(clear, place), forerunner), used: complete.used };
}

/** All rules about what is versioned of a workflow: those of a save, and those of a check without one. */
export async function checkVersion(
  db: Queryable,
  context: Pick<SaveContext, "team" | "quotas" | "storage">,
  name: string,
  input: WorkflowInput,
  mode: CheckMode = saving,
): Promise<ResolvedTasks> {
  const { team } = context;
  const complete = await completeDocument(db, team, input, mode);
  refuseFaults(storageFaults(complete.document.workspaces, context.storage), mode);
  refuseOversized(context, complete.document, mode);
  await checkWorkflowRefs(db, team.id, name, asGiven(complete.document, input), mode);
  await checkTriggerWorkflows(db, team.id, name, input.triggers, mode);
  return complete;
}

/** Without the start and end that were added, so that places count as its author counts. */
function asGiven(document: WorkflowDocument, input: WorkflowInput): WorkflowDocument {
  const given = new Set((input.tasks ?? []).map(({ name }) => name));
  return { ...document, tasks: document.tasks.filter(({ name }) => given.has(name)) };
}

function refuseOversized({ team, quotas }: Pick<SaveContext, "team" | "quotas">, document: WorkflowDocument, { refuse }: CheckMode): void {
  const oversized = findOversizedWorkspace(document.workspaces, quotas);
  if (oversized) refuse(quotaExceeded(oversized.quota, { team: team.name, used: oversized.asked, max: oversized.maxGi }));
}

import { type WorkflowInput, type WorkflowStatus, workflowStatuses } from "@millrace/contract/workflow/workflow.ts";
import { deadlineFaults } from "../../core/alert/deadline.ts";
import { labelFaults, mergeLabels } from "../../core/workflow/labels.ts";
import { mergeTriggers, triggerFaults } from "../../core/workflow/workflow-document-triggers.ts";
import type { WorkflowVersionHead } from "../../store/workflow/workflow-versions.ts";
import type { WorkflowHead } from "../../store/workflow/workflows.ts";
import { refuseFaults } from "./refuse-faults.ts";

/** What all versions of a new workflow share. It is active unless the body says otherwise. */
export function newHead(input: WorkflowInput, name: string): WorkflowHead {
  const status = statusOf(input.status) ?? "active";
  const requiresTests = input.requireTests ?? false;
  return withChecks({
    ...newTitle(input, name),
    ...{ status, triggers: mergeTriggers(input.triggers), requiresTests },
  });
}

/** The same after a write: given members change for all versions at once. */
export function changedHead(input: WorkflowInput, current: WorkflowHead, replace: boolean): WorkflowHead {
  return withChecks({
    ...changedTitle(input, current, replace),
    status: statusOf(input.status) ?? current.status,
    triggers: mergeTriggers(input.triggers, current.triggers),
    requiresTests: input.requireTests ?? current.requiresTests,
  });
}

/** The part of the head that templates have, too. */
export type WorkflowTitle = Pick<WorkflowHead, "displayName" | "icon" | "description" | "labels" | "annotations">;
type TitleInput = Pick<WorkflowInput, "displayName" | "icon" | "description" | "labels" | "annotations">;

export function newTitle(input: TitleInput, name: string): WorkflowTitle {
  return withCheckedLabels({
    displayName: given(input.displayName) ?? name,
    icon: input.icon || null,
    description: input.description || null,
    labels: mergeLabels({}, input.labels ?? {}),
    annotations: mergeLabels({}, input.annotations ?? {}),
  });
}

/** Labels and annotations are merged (null removes one), or with `replace` overwritten. */
export function changedTitle(input: TitleInput, current: WorkflowTitle, replace: boolean): WorkflowTitle {
  const merged = <T>(present: Record<string, T>, change: Record<string, T | null> | null | undefined) =>
    change ? mergeLabels(replace ? {} : present, change) : present;
  return withCheckedLabels({
    displayName: given(input.displayName) ?? current.displayName,
    icon: changedText(input.icon, current.icon),
    description: changedText(input.description, current.description),
    labels: merged(current.labels, input.labels),
    annotations: merged(current.annotations, input.annotations),
  });
}

function withChecks(head: WorkflowHead): WorkflowHead {
  refuseFaults(triggerFaults(head.triggers));
  return head;
}

function withCheckedLabels(title: WorkflowTitle): WorkflowTitle {
  refuseFaults([...labelFaults(title.labels), ...deadlineFaults(title.annotations)]);
  return title;
}

function given(text: string | null | undefined): string | undefined {
  return text == null || text.trim() === "" ? undefined : text;
}

/** A missing member stays unchanged; empty text clears it. */
function changedText(text: string | null | undefined, current: string | null): string | null {
  return text == null ? current : text || null;
}

function statusOf(text: string | null | undefined): WorkflowStatus | undefined {
  const wanted = given(text);
  const status = workflowStatuses.find((word) => word === wanted?.trim().toLowerCase());
  if (wanted !== undefined && status === undefined) {
    refuseFaults([{ path: "/status", message: `is ${JSON.stringify(text)}; it must be one of ${workflowStatuses.join(", ")}` }]);
  }
  return status;
}

/**
 * The author's reason for this version, or else a default sentence. A client that writes back what it has read sends the reason of the
 * previous version; the date reveals that.
 */
export function reasonOf(
  changelog: WorkflowInput["changelog"],
  version: number,
  before?: Pick<WorkflowVersionHead, "reason" | "changedAt">,
  what = "Workflow",
): string {
  const reason = given(changelog?.reason);
  const isEcho = before !== undefined && reason === before.reason && changelog?.date === before.changedAt.toISOString();
  if (reason !== undefined && !isEcho) return reason;
  return `${version === 1 ? "Initial" : "Updated"} ${what}`;
}

import type { RerunDecision, RerunReason } from "@millrace/contract/run/rerun.ts";
import { isSameJson } from "../../document/same-json.ts";
import type { PlanNode } from "../../workflow/plan.ts";
import { pathNotTaken } from "../consider-node.ts";
import type { TaskState } from "../run-state.ts";
import { changedInputs, listChanges, listNames } from "./compare-nodes.ts";
import type { Again, RerunQuestion } from "./rerun-question.ts";

/** Why a node itself must run again, whatever happens before it; undefined: its task run can be reused. */
export function ownReason(question: RerunQuestion, node: PlanNode, source: TaskState | undefined): Again | undefined {
  const { before, after, chosen } = question;
  // In a run that never started, the start node was skipped like all others.
  if (node.index === after.plan.start) return source && endOf(source) === "done" ? undefined : { why: "not-run-before" };
  if (node.turn !== "flow") return { why: "handler" };
  if (chosen.has(node.name)) return { why: "chosen" };
  if (!source) return { why: "new" };
  // This includes lists that failed: their items that had succeeded were undone.
  const undoneBy = findUndoing(question, source);
  if (undoneBy !== undefined) return { why: "undone", detail: undoneBy };
  const ended = endOf(source);
  if (ended !== "done") return { why: ended, detail: source.status };
  if (before.plan === after.plan && before.layers === after.layers) return undefined;
  const old = before.plan.nodes[source.node] as PlanNode;
  const changes = before.plan === after.plan ? [] : listChanges(before, old, after, node);
  if (changes.length > 0) return { why: "definition-changed", detail: listNames(changes) };
  if (before.layers === after.layers || source.status === "skipped") return undefined;
  const inputs = changedInputs(before, old, after, node);
  return inputs.length > 0 ? { why: "input-changed", detail: listNames(inputs) } : undefined;
}

/** The compensation that has undone the task, or has tried to. */
function findUndoing({ before: { plan }, tasks }: RerunQuestion, source: TaskState): string | undefined {
  const undoing = plan.handlers?.compensations.find(({ index, undoes }) => undoes === source.node && hasBegun(tasks[index]));
  return undoing && plan.nodes[undoing.index]?.name;
}

function hasBegun(task: TaskState | undefined): boolean {
  return task !== undefined && task.status !== "notstarted" && task.status !== "skipped";
}

function endOf({ status, reason }: TaskState): "done" | "failed" | "not-run-before" {
  if (status === "succeeded" || (status === "skipped" && reason === pathNotTaken)) return "done";
  return status === "failed" || status === "timedout" || status === "invalid" ? "failed" : "not-run-before";
}

const againTexts: Record<RerunReason, (detail: string) => string> = {
  chosen: () => "You chose it",
  new: () => "The run had no such task",
  failed: (status) => `It ended as ${status}`,
  "not-run-before": () => "It did not run before",
  "definition-changed": (changes) => `Changed in this version: ${changes}`,
  "input-changed": (names) => `Other values: ${names}`,
  downstream: (task) => `Task "${task}" comes before it`,
  workspace: () => "Tasks that run again may need its files, and the workspace of the new run is empty",
  lock: (task) => `Task "${task}" runs again under this lock; a lock can't be taken over`,
  handler: () => "It runs when the flow of the new run is over",
  undone: (task) => `Task "${task}" has undone it, or has tried to`,
  approval: (task) => `People approved something else: task "${task}" behind it runs with other content`,
};

/** For people: one sentence. */
export function describeNode(node: PlanNode, decision: RerunDecision, again: Again | undefined, source: TaskState | undefined): string {
  if (again) return againTexts[again.why](again.detail ?? "");
  if (decision === "marked") return "A person gives its results";
  if (source?.status === "skipped") return "It was skipped, and nothing before it changes";
  return reusedTexts[node.type] ?? "It succeeded, and nothing before it changes";
}

const reusedTexts: Partial<Record<PlanNode["type"], string>> = {
  approval: "It was approved, and what comes behind it is the same",
  manual: "It was done, and what comes behind it is the same",
  sleep: "It has waited already",
  eventwait: "Its event has arrived already",
  acquirelock: "Nothing runs again under this lock",
  releaselock: "Nothing runs again under this lock",
};

export interface Unmapped {
  task: string;
  why: "removed" | "renamed" | "type-changed";
  text: string;
}

/** Tasks of the finished run that can't be reused, since the workflow that is to run has no such task. */
export function listUnmapped({ before, after, tasks }: Pick<RerunQuestion, "before" | "after" | "tasks">): Unmapped[] {
  if (before.plan === after.plan) return [];
  const added = after.plan.nodes.filter(({ name }) => !before.plan.byName.has(name));
  return before.plan.nodes.flatMap((node): Unmapped[] => {
    const task = node.name;
    const index = after.plan.byName.get(task);
    const other = index === undefined ? undefined : after.plan.nodes[index];
    if (other?.type === node.type || !tasks[node.index]) return [];
    if (other)
      return [
        { task, why: "type-changed", text: `It was of type ${node.type} and is of type ${other.type} now, so it runs as a new task` },
      ];
    const like = added.filter((one) => isLike(node, one));
    if (like.length === 1 && like[0])
      return [{ task, why: "renamed", text: `It seems to be "${like[0].name}" now. Results go by names, so that task runs again` }];
    return [{ task, why: "removed", text: "This version has no such task; its results are not used" }];
  });
}

function isLike(one: PlanNode, other: PlanNode): boolean {
  if (one.type !== other.type || one.task?.id !== other.task?.id) return false;
  return isSameJson([one.params, one.forEach?.items, one.loop?.value], [other.params, other.forEach?.items, other.loop?.value]);
}

// Why task runs wait.
import type { TaskRunItems } from "@millrace/contract/run/task-run.ts";
import { isFinal, type Status } from "@millrace/contract/status.ts";
import { isHeld } from "../../core/run/run-activity.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { ActionRow } from "../../store/action/actions.ts";
import type { LockHolder } from "../../store/run/task-locks.ts";
import type { TaskRunRow } from "../../store/run/task-runs.ts";
import type { LiveWorker } from "../../store/worker/workers.ts";
import type { PlaceRow } from "../../store/worker/workspace-places.ts";
import { quoted, whyNotClaimed } from "./why-not-claimed.ts";

/** Explains in words, with names, why a task run waits: pure, from what load-run.ts has read. */

export interface WaitFacts {
  workers: readonly LiveWorker[];
  /** By key; a free lock is missing. */
  locks: ReadonlyMap<string, LockHolder>;
  actions: ReadonlyMap<string, ActionRow>;
  /** People who may still vote on an action of an approver group, by the action's id. */
  openVoters: ReadonlyMap<string, number>;
  /** Runs that task runs wait for, by id. */
  children: ReadonlyMap<string, { workflowName: string; status: string }>;
  /** Folders of workspaces that ready task runs wait for, by id. */
  places: ReadonlyMap<string, PlaceRow>;
  /** External tasks that external workers of the team ask for now. */
  asked: ReadonlySet<string>;
}

/** All task runs of a run, for those that wait for each other. */
export class Siblings {
  readonly #nodes: TaskRunRow[] = [];
  readonly #items = new Map<number, { over: number; all: number }>();

  /** @param counts of items by node, if not all of them are among the task runs */
  constructor(tasks: readonly TaskRunRow[], counts?: ReadonlyMap<number, TaskRunItems>) {
    for (const task of tasks) {
      if (task.item === null) this.#nodes[task.node] = task;
      else if (counts === undefined) this.#count(task);
    }
    for (const [node, { total, statuses }] of counts ?? []) {
      const over = Object.entries(statuses).reduce((sum, [status, count]) => sum + (isFinal(status as Status) ? count : 0), 0);
      this.#items.set(node, { over, all: total });
    }
  }

  /** Names of upstream tasks that have not ended. */
  openBefore(task: TaskRunRow, plan: Plan): string[] {
    const before = new Set((plan.nodes[task.node]?.incoming ?? []).map(({ from }) => from));
    return [...before].flatMap((node) => {
      const other = this.#nodes[node];
      return other && !isFinal(other.status) ? [other.name] : [];
    });
  }

  itemsOf(task: TaskRunRow): { over: number; all: number } {
    return this.#items.get(task.node) ?? { over: 0, all: 0 };
  }

  #count({ node, status }: TaskRunRow): void {
    const items = this.#items.get(node) ?? { over: 0, all: 0 };
    this.#items.set(node, items);
    items.all += 1;
    if (isFinal(status)) items.over += 1;
  }
}

/** @param siblings if they are known */
export function whyTaskWaits(task: TaskRunRow, facts: WaitFacts, plan: Plan, siblings?: Siblings): string | undefined {
  if (isHeld(task)) return task.waitDetail ?? undefined;
  if (task.status === "ready")
    return task.executor ? whyNotClaimed(task, task.executor, facts.workers, facts.places, facts.asked) : undefined;
  if (task.status === "notstarted") return siblings && whyNotReady(task, plan, siblings);
  if (task.status !== "waiting") return undefined;
  if (task.item === null && plan.nodes[task.node]?.loop) return whyLoopWaits(task);
  return whyWaiting(task, facts, siblings) ?? task.waitDetail ?? undefined;
}

/** For its round, or for the next one. */
function whyLoopWaits({ waitKind, waitDetail, dueAt }: TaskRunRow): string | undefined {
  return waitKind === "sleep" && dueAt ? `${waitDetail}, at ${dueAt.toISOString()}` : (waitDetail ?? undefined);
}

function whyWaiting(task: TaskRunRow, facts: WaitFacts, siblings: Siblings | undefined): string | undefined {
  const key = task.waitKey ?? "";
  const until = task.dueAt ? task.dueAt.toISOString() : undefined;
  switch (task.waitKind) {
    case "lock":
      return lockText(key, facts.locks.get(key));
    case "action":
      return actionText(facts.actions.get(key), facts.openVoters.get(key));
    case "run":
      return childText(key, facts.children.get(key));
    case "sleep":
      return until && `Sleeps until ${until}`;
    case "retry":
      return until && task.waitDetail ? `${task.waitDetail}, at ${until}` : undefined;
    case "items":
      return siblings && itemsText(task, siblings);
    default:
      return undefined;
  }
}

function lockText(key: string, holder: LockHolder | undefined): string {
  if (!holder) return `Lock "${key}" is free now; the task takes it within seconds`;
  return `Lock "${key}" is held by run ${holder.runId}${holder.workflowName ? ` of workflow "${holder.workflowName}"` : ""}`;
}

function actionText(action: ActionRow | undefined, openVoters: number | undefined): string | undefined {
  if (!action) return undefined;
  if (action.type === "manual") return "Waiting for a person to do this task and confirm it";
  const approvals = action.votes.filter(({ approved }) => approved).length;
  const wanted = action.approversWanted === 1 ? "an approval" : `${action.approversWanted} approvals`;
  const far = action.approversWanted === 1 ? "" : `, ${approvals} so far`;
  if (action.approverGroupId === null) return `Waiting for ${wanted} by the team${far}`;
  if (action.approverGroupName === null) return `Waiting for ${wanted} by an approver group that was deleted, so nobody can vote${far}`;
  const other = action.escalatedAt === null ? "" : ` or "${action.escalationGroupName}"`;
  const group = `Waiting for ${wanted} by approver group "${action.approverGroupName}"${other}${far}`;
  if (openVoters === undefined || approvals + openVoters >= action.approversWanted) return group;
  return `${group}; only ${openVoters} of its members can still vote`;
}

function childText(runId: string, child: { workflowName: string; status: string } | undefined): string | undefined {
  return child && `Waiting for run ${runId} of workflow "${child.workflowName}", which is ${child.status}`;
}

function itemsText(task: TaskRunRow, siblings: Siblings): string {
  const { over, all: rows } = siblings.itemsOf(task);
  const all = Math.max(rows, Number(task.waitKey ?? 0));
  return `Waiting for its items: ${over} of ${all} have ended`;
}

function whyNotReady(task: TaskRunRow, plan: Plan, siblings: Siblings): string | undefined {
  if (task.item !== null) return "Waiting for earlier items: the maximum number of parallel items is running";
  const open = siblings.openBefore(task, plan);
  if (open.length === 0) return undefined;
  const names = quoted(open.slice(0, 5));
  return `Waiting for ${open.length === 1 ? "task" : "tasks"} ${names}${open.length > 5 ? ` and ${open.length - 5} more` : ""}`;
}

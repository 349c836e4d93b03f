import { openVoters as stillOpen } from "../../core/action/vote-rule.ts";
import { clusterPlace, noPlace, undecidedPlace } from "../../core/worker/workspace-place.ts";
import { listActionsById } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listRunNames } from "../../store/run/runs.ts";
import { listLockHolders } from "../../store/run/task-locks.ts";
import type { TaskRunRow } from "../../store/run/task-runs.ts";
import { listApproverGroups } from "../../store/team/approver-groups.ts";
import { listLiveWorkers } from "../../store/worker/workers.ts";
import { listPlaces } from "../../store/worker/workspace-places.ts";
import type { WaitFacts } from "./wait.view.ts";

/** What must be known to say why these task runs wait: at most one statement a kind of wait, and none when nothing waits. */
export async function loadWaits(db: Queryable, teamId: string, tasks: readonly TaskRunRow[]): Promise<WaitFacts> {
  const keys = (kind: string) =>
    tasks.flatMap((task) => (task.status === "waiting" && task.waitKind === kind && task.waitKey ? [task.waitKey] : []));
  const [locks, actions, runs] = [keys("lock"), keys("action"), keys("run")];
  const ready = tasks.filter(({ status, executor }) => status === "ready" && executor !== null);
  const placed = [...new Set(ready.map(({ place }) => place))].filter((place) => ![noPlace, undecidedPlace, clusterPlace].includes(place));
  const found = await Promise.all([
    ready.length > 0 ? listLiveWorkers(db, teamId) : [],
    locks.length > 0 ? listLockHolders(db, teamId, locks) : [],
    actions.length > 0 ? loadActions(db, teamId, actions) : { actions: [], openVoters: new Map<string, number>() },
    runs.length > 0 ? listRunNames(db, teamId, runs) : [],
    placed.length > 0 ? listPlaces(db, placed) : [],
  ]);
  return {
    workers: found[0],
    locks: new Map(found[1].map((holder) => [holder.key, holder])),
    actions: new Map(found[2].actions.map((action) => [action.id, action])),
    openVoters: found[2].openVoters,
    children: new Map(found[3].map((run) => [run.id, run])),
    places: new Map(found[4].map((place) => [place.id, place])),
  };
}

async function loadActions(db: Queryable, teamId: string, ids: readonly string[]) {
  const actions = await listActionsById(db, teamId, ids);
  const groups = actions.some((action) => action.approverGroupName !== null) ? await listApproverGroups(db, [teamId]) : [];
  const members = new Map(groups.map((group) => [group.id, new Set(group.approvers.map(({ id }) => id))]));
  const openVoters = new Map<string, number>();
  for (const action of actions) {
    const group = members.get(action.approverGroupId ?? "");
    if (group) openVoters.set(action.id, stillOpen(action, group).length);
  }
  return { actions, openVoters };
}

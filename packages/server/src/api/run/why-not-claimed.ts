import { externalTaskOf } from "../../core/task/external-task.ts";
import { meets, type RunNeed } from "../../core/task/place-task.ts";
import { executorKinds } from "../../core/task/tekton/runnable.ts";
import { reservedSlots, slotsToTake } from "../../core/worker/slot-shares.ts";
import { storePlace } from "../../core/worker/workspace-place.ts";
import type { TaskRunRow } from "../../store/run/task-runs.ts";
import type { LiveWorker } from "../../store/worker/workers.ts";
import type { PlaceRow } from "../../store/worker/workspace-places.ts";

/**
 * What keeps a ready task run waiting: the first reason that keeps every live worker from claiming it.
 *
 * @param places folders of workspaces that task runs wait for, by id
 * @param asked external tasks that an external worker of its team asks for now; absent if that is not known
 */
export function whyNotClaimed(
  task: Pick<TaskRunRow, "runsOn" | "place">,
  need: RunNeed,
  workers: readonly LiveWorker[],
  places: ReadonlyMap<string, PlaceRow>,
  asked?: ReadonlySet<string>,
): string {
  const external = externalTaskOf(need);
  if (external !== undefined) return whyNotAskedFor(external, asked);
  if (task.place === storePlace) {
    const withFolder = workers.filter(({ place }) => place !== null && place !== undefined);
    return `${whyNoneClaims(task, need, withFolder)}. The workspaces of its run are in the store, so the worker needs MILLRACE_WORKSPACE_STORE`;
  }
  const place = places.get(task.place);
  if (!place) return whyNoneClaims(task, need, workers);
  const there = workers.filter((worker) => worker.place === task.place);
  if (there.length > 0) return `${whyNoneClaims(task, need, there)}. The workspaces of its run are on ${place.host}`;
  return `Waiting for the worker on ${place.host}, which has the workspaces of its run and was last seen at ${place.seenAt.toISOString()}`;
}

function whyNotAskedFor(task: string, asked: ReadonlySet<string> | undefined): string {
  if (asked === undefined) return `Waiting for an external worker of its team that asks for task "${task}"`;
  if (asked.has(task)) return `Waiting to be claimed by an external worker that asks for task "${task}"`;
  return `No external worker asks for task "${task}". Start the program that runs it, with a token of this team whose tasks include ${task}`;
}

function whyNoneClaims(task: Pick<TaskRunRow, "runsOn">, need: RunNeed, workers: readonly LiveWorker[]): string {
  if (workers.length === 0) return "No worker is running";
  const executor = `the executor ${executorKinds
    .filter((kind) => meets(kind, need))
    .map((kind) => `"${kind}"`)
    .join(" or ")}`;
  const able = workers.filter(({ executors }) => executors.some((kind) => meets(kind, need)));
  if (able.length === 0) return whyNoneIsAble(executor, need, workers);
  const fitting = able.filter(({ labels }) => task.runsOn.every((label) => labels.includes(label)));
  if (fitting.length === 0) return `No running worker with ${executor} has ${missingLabels(task.runsOn, able)}`;
  const slots = fitting.reduce((sum, worker) => sum + worker.slots, 0);
  const busy = fitting.reduce((sum, worker) => sum + worker.busy, 0);
  const labels = task.runsOn.length > 0 ? ` and the labels ${quoted(task.runsOn)}` : "";
  const where = `${fitting.length === 1 ? "the worker" : `the ${fitting.length} workers`} with ${executor}${labels}`;
  if (busy < slots && fitting.some(hasRoom)) return `Waiting to be claimed by ${where}`;
  if (busy < slots) return whyShared(where, fitting);
  return `Waiting for a free slot: ${slots === 1 ? `the only slot of ${where} is` : `all ${slots} slots of ${where} are`} busy`;
}

function hasRoom({ slots, busy, share }: LiveWorker): boolean {
  return share === undefined ? busy < slots : slotsToTake({ slots, busy, ...share }) > 0;
}

/** There are free slots, but not for this team. */
function whyShared(where: string, workers: readonly LiveWorker[]): string {
  const sum = (part: (worker: LiveWorker) => number) => workers.reduce((total, worker) => total + part(worker), 0);
  const [held, slots, reserved] = [
    sum(({ share }) => share?.held ?? 0),
    sum(({ slots }) => slots),
    sum(({ slots }) => reservedSlots(slots)),
  ];
  return `Waiting for a slot of its team to become free: the team has ${held} of the ${slots} slots of ${where}, and the last ${reserved === 1 ? "one is" : `${reserved} are`} reserved for other teams`;
}

/**
 * The reason why an executor is off may contain paths of a machine, so only its operator may see it; a fault of the machine is shown
 * without them.
 */
function whyNoneIsAble(executor: string, need: RunNeed, workers: readonly LiveWorker[]): string {
  const off = workers.filter(({ configured }) => configured.some((kind) => meets(kind, need)));
  if (off.length === 0) return `No running worker has ${executor}`;
  const where = off.length === 1 ? "the worker that has it" : `any of the ${off.length} workers that have it`;
  const faults = new Set(
    off.flatMap((worker) => worker.configured.filter((kind) => meets(kind, need)).flatMap((kind) => worker.faults[kind] ?? [])),
  );
  const known = faults.size === 0 ? "" : `: ${[...faults].join(", ")}`;
  const ask = `GET /health of ${off.length === 1 ? "that worker" : "these workers"} says ${faults.size === 0 ? "why" : "more"}`;
  return `Waiting because ${executor} is not available on ${where}${known}; ${ask}`;
}

/** Labels that no worker has. If each label exists somewhere, it is the combination. */
function missingLabels(wanted: readonly string[], workers: readonly LiveWorker[]): string {
  const missing = wanted.filter((label) => !workers.some(({ labels }) => labels.includes(label)));
  if (missing.length === 0) return `all of the labels ${quoted(wanted)}`;
  return `${missing.length === 1 ? "the label" : "the labels"} ${quoted(missing)}`;
}

/** Names in quotation marks, separated by commas. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}

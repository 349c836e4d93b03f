import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { WorkflowInput, WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { maxPinnedResult, maxPinnedResults, type TaskPin, type WorkflowTryRequest } from "@millrace/contract/workflow/workflow-try.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { findReferences, type ResultReference } from "../parameter/references.ts";
import { ancestorsOf } from "./checks/check-graph-cycle.ts";
import type { Pin } from "./plan.ts";

/** Which part of a workflow a trial runs, and which of its tasks end at once with given results. */

type Request = Pick<WorkflowTryRequest, "only" | "upTo" | "pinned">;

export interface TrialScope {
  /** The part to run, as a workflow of its own. */
  input: WorkflowInput;
  /** The index of each of its tasks in the whole workflow. */
  places: number[];
  /** Tasks that only provide their results: problems with them do not matter. */
  standIns: ReadonlySet<string>;
  /** The references of the single task, by the task that has the result. */
  wanted: ReadonlyMap<string, ResultReference>;
}

/** Problems with the request itself. */
export function trialFaults({ tasks }: Pick<WorkflowInput, "tasks">, { only, upTo, pinned }: Request): ErrorDetail[] {
  const byName = new Map((tasks ?? []).map((task) => [task.name, task]));
  const faults: ErrorDetail[] = [];
  if (only != null && upTo != null) faults.push({ path: "/upTo", message: "is a second choice of tasks; give only or upTo, not both" });
  for (const [member, name] of [["only", only] as const, ["upTo", upTo] as const]) {
    if (name == null) continue;
    const task = byName.get(name);
    if (task === undefined)
      faults.push({ path: `/${member}`, message: `names the task ${JSON.stringify(name)}, which the workflow does not have` });
    else if (isMarker(task)) faults.push({ path: `/${member}`, message: `names ${JSON.stringify(name)}, which does nothing; name a task` });
  }
  return [...faults, ...pinFaults(byName, pinned ?? {})];
}

function pinFaults(byName: ReadonlyMap<string, WorkflowTask>, pinned: Readonly<Record<string, TaskPin>>): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  let total = 0;
  for (const [name, pin] of Object.entries(pinned)) {
    const path = `/pinned/${escapePointer(name)}`;
    const task = byName.get(name);
    if (task === undefined) faults.push({ path, message: "is not a task of the workflow" });
    else if (isMarker(task)) faults.push({ path, message: "does nothing, so it can't be pinned; leave it out" });
    for (const [index, { value }] of (pin.results ?? []).entries()) {
      const length = JSON.stringify(value ?? null).length;
      total += length;
      if (length > maxPinnedResult)
        faults.push({
          path: `${path}/results/${index}`,
          message: `has ${length} characters of JSON; at most ${maxPinnedResult} are allowed`,
        });
    }
  }
  if (total > maxPinnedResults)
    faults.push({
      path: "/pinned",
      message: `has results with ${total} characters of JSON; at most ${maxPinnedResults} are allowed together`,
    });
  return faults;
}

/** Pinned switches whose pin lacks the compared value. Which tasks are switches is known only once their definitions are. */
export function decisionFaults(
  tasks: readonly { name: string; type?: string | null }[],
  pins: readonly (Pin & { task: string })[],
): ErrorDetail[] {
  const switches = new Set(tasks.filter(({ type }) => type === "decision").map(({ name }) => name));
  return pins
    .filter(({ task, status, decision }) => switches.has(task) && status === "succeeded" && decision === undefined)
    .map(({ task }) => ({ path: `/pinned/${task}`, message: "is a switch; give decision, the value that it compares" }));
}

/** The part to run. Call it only if there are no faults. */
export function scopeOfTrial(input: WorkflowInput, { only, upTo, pinned }: Request): TrialScope {
  if (only != null) return onlyOne(input, only);
  return upTo != null ? upToOne(input, upTo, new Set(Object.keys(pinned ?? {}))) : wholeOf(input);
}

function wholeOf(input: WorkflowInput): TrialScope {
  return { input, places: (input.tasks ?? []).map((_, index) => index), standIns: new Set(), wanted: new Map() };
}

/** So often it is looked for the ways through pinned tasks that must stay, and so many of them are examined; beyond that all ways stay. */
const maxLooks = 10;
const maxWays = 10_000;

/** The task with everything it depends on, directly or not, but without what only leads to a pinned task. */
function upToOne(input: WorkflowInput, last: string, pinned: ReadonlySet<string>): TrialScope {
  const tasks = input.tasks ?? [];
  const byName = new Map(tasks.map((task, index) => [task.name, { task, index }]));
  const [used, isBefore] = [usesIn(tasks), orderIn(tasks)];
  const neededWithout = (cut: ReadonlySet<string>) =>
    reach([last], (name) => (cut.has(name) ? [] : [...dependenciesOf(byName.get(name)?.task), ...(used.get(name) ?? [])]));
  let cut = new Set([...pinned].filter((name) => name !== last));
  for (let looks = 0; cut.size > 0 && looks < maxLooks; looks++) {
    const needed = neededWithout(cut);
    const isStillBefore = orderIn(tasks.map((task) => (cut.has(task.name) ? { ...task, dependencies: [] } : task)));
    const behind = [...needed].filter((name) => !cut.has(name));
    const lost = behind.flatMap((to) => (used.get(to) ?? []).flatMap((from) => (isStillBefore(from, to) ? [] : [{ from, to }])));
    if (lost.length === 0) return withCut(input, needed, cut);
    if (lost.length > maxWays) break;
    cut = new Set([...cut].filter((name) => !lost.some(({ from, to }) => isBefore(from, name) && isBefore(name, to))));
  }
  return withCut(input, neededWithout(new Set()), new Set());
}

function dependenciesOf(task: Pick<WorkflowTask, "dependencies"> | undefined): string[] {
  return (task?.dependencies ?? []).map(({ taskRef }) => taskRef);
}

/** Compares tasks by their names. */
function orderIn(tasks: readonly WorkflowTask[]): (one: string, other: string) => boolean {
  const ancestors = ancestorsOf(tasks);
  const byName = new Map(tasks.map(({ name }, index) => [name, index]));
  return (one, other) => ancestors.isBefore(byName.get(one) ?? -1, byName.get(other) ?? -1);
}

/** For each task the earlier tasks whose results it uses. Handlers need no path from tasks of the flow, which end before them. */
function usesIn(tasks: readonly WorkflowTask[]): ReadonlyMap<string, string[]> {
  const isBefore = orderIn(tasks);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const kindOf = (name: string) => byName.get(name)?.handler ?? "";
  return new Map(
    tasks.map((task) => {
      const names = resultsUsed(task).map((reference) => reference.task);
      return [task.name, names.filter((name) => byName.has(name) && kindOf(name) === kindOf(task.name) && isBefore(name, task.name))];
    }),
  );
}

/** A cut task depends only on start, and only provides its results. */
function withCut(input: WorkflowInput, needed: ReadonlySet<string>, cut: ReadonlySet<string>): TrialScope {
  const start = (input.tasks ?? []).find(isStart)?.name ?? "start";
  const part = partOf(input, (task) => needed.has(task.name) || isStart(task));
  const tasks = (part.input.tasks ?? []).map((task) =>
    cut.has(task.name) ? { ...task, params: [], dependencies: task.handler == null ? [{ taskRef: start }] : [] } : task,
  );
  return { ...part, input: { ...part.input, tasks }, standIns: new Set([...cut].filter((name) => needed.has(name))) };
}

function reach(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  for (const name of reached) for (const one of next(name)) reached.add(one);
  return reached;
}

function resultsUsed({ params, forEach, loop }: Pick<WorkflowTask, "params" | "forEach" | "loop">): ResultReference[] {
  return findReferences([params, forEach?.items, loop]).flatMap((reference) => (reference.kind === "result" ? [reference] : []));
}

/** The single task, after stand-ins for all tasks whose results it refers to. It runs however these ended. */
function onlyOne(input: WorkflowInput, only: string): TrialScope {
  const tasks = input.tasks ?? [];
  const wanted = new Map<string, ResultReference>();
  for (const task of tasks.filter(({ name }) => name === only)) {
    for (const reference of resultsUsed(task)) if (reference.task !== only) wanted.set(reference.task, reference);
  }
  const start = tasks.find(isStart)?.name ?? "start";
  const known = new Set(tasks.filter((task) => !isMarker(task)).map(({ name }) => name));
  const standIns = new Set([...wanted.keys()].filter((name) => known.has(name)));
  const part = partOf(input, (task) => task.name === only || standIns.has(task.name) || isStart(task));
  const changed = (part.input.tasks ?? []).map((task): WorkflowTask => {
    if (isStart(task)) return task;
    // A handler needs no links: everything before it has ended.
    const isHandler = task.handler != null;
    const before = task.name !== only ? [start] : isHandler ? [] : [start, ...standIns];
    return { ...task, ...(task.name !== only && { params: [] }), dependencies: before.map((taskRef) => ({ taskRef })) };
  });
  // Parameters that the task does not use need no value.
  const params = (input.params ?? []).map((param) => ({ ...param, required: false }));
  return {
    ...part,
    input: { ...part.input, tasks: changed, params },
    standIns,
    wanted: new Map([...wanted].filter(([name]) => known.has(name))),
  };
}

function partOf(input: WorkflowInput, isPart: (task: WorkflowTask) => boolean): TrialScope {
  const parts = (input.tasks ?? []).flatMap((task, place) => (isPart(task) ? [{ task, place }] : []));
  return {
    input: { ...input, tasks: parts.map(({ task }) => withoutCompensation(task)) },
    places: parts.map(({ place }) => place),
    standIns: new Set(),
    wanted: new Map(),
  };
}

/** In a part of a workflow nothing is undone: the compensations are not part of it. */
function withoutCompensation({ compensatedBy: _, ...task }: WorkflowTask): WorkflowTask {
  return task;
}

export function pinOf({ status, results, decision }: TaskPin): Pin {
  return {
    status: status ?? "succeeded",
    results: (results ?? []).map(({ name, value }) => ({ name, value: value ?? null })),
    ...(decision != null && { decision }),
  };
}

function isStart({ name, type }: WorkflowTask): boolean {
  return (type ?? name) === "start";
}

function isMarker({ name, type }: WorkflowTask): boolean {
  return ["start", "end"].includes(type ?? name);
}

import { positionKey } from "../../graph/task-places.ts";
import { type Draft, type DraftTask, placeMissing, sameJson } from "./draft.ts";

/**
 * A draft as people read it: the service returns every member, and most of them have their default. A small workflow would begin with 30
 * lines about what it does not do. What is left out here comes back in `withDefaults`, so that both are the same draft.
 */
type Members = Readonly<Record<string, unknown>>;

/** Defaults of the members that the service always returns. Other members are never left out. */
const defaultsOfTask = { dependencies: [], labels: {}, annotations: {}, params: [], results: [] };
const defaultsOfDependency = { executionCondition: "always" };
const defaultsOfWorkflow = ({ name }: Pick<Draft, "name">) => ({
  ...{ displayName: name, status: "active", labels: {}, annotations: {}, params: [], workspaces: [] },
});
const defaultsOfTrigger = (kind: string) => ({ enabled: kind === "manual", conditions: [] });
/** In a write, a member that is missing stays as it is. So where the author deletes one of these, it is emptied. */
const emptyInTrigger = { filters: [], requireSignature: false, reportStatus: false };
const emptyInWorkflow = { icon: "", description: "", requireTests: false };

export function briefDraft(draft: Draft): Record<string, unknown> {
  const { triggers, ...members } = without(draft, defaultsOfWorkflow(draft));
  const brief = membersOf(triggers).flatMap(([kind, trigger]) => {
    const rest = isMap(trigger) ? without(trigger, defaultsOfTrigger(kind)) : trigger;
    return isMap(rest) && Object.keys(rest).length === 0 ? [] : [[kind, rest]];
  });
  const isPlaced = hasOwnPlaces(draft);
  return {
    ...members,
    ...(isMap(triggers) ? brief.length > 0 && { triggers: Object.fromEntries(brief) } : "triggers" in draft && { triggers }),
    tasks: draft.tasks.map((task) => briefTask(isPlaced ? task : withoutPlace(task))),
  };
}

/**
 * The draft that a brief text describes. A member that the text lacks gets its default if the saved workflow has that member, since a write
 * without it would leave it as it was saved.
 * @param shown the draft before: its new tasks, which are not saved yet, keep their members too
 */
export function withDefaults(read: Draft, baseline: Draft, shown: Draft): Draft {
  const filled = filledIn(filledIn(read, defaultsOfWorkflow(read), baseline), emptyInWorkflow, baseline);
  const triggers = isMap(baseline["triggers"]) && { triggers: allTriggers(filled["triggers"], baseline["triggers"]) };
  const known = new Map([...shown.tasks, ...baseline.tasks].map((task) => [task.name, task]));
  return { ...filled, ...triggers, tasks: read.tasks.map((task) => wholeTask(task, known.get(task.name))) } as Draft;
}

function briefTask(task: DraftTask): Members {
  const { dependencies, ...rest } = without(task, defaultsOfTask);
  if (!Array.isArray(dependencies)) return { ...rest, ...("dependencies" in task && dependencies !== undefined && { dependencies }) };
  return { ...rest, dependencies: dependencies.map((each: unknown) => (isMap(each) ? without(each, defaultsOfDependency) : each)) };
}

function wholeTask(task: DraftTask, before: DraftTask | undefined): DraftTask {
  if (before === undefined) return task;
  const filled = filledIn(task, defaultsOfTask, before);
  if (!Array.isArray(filled["dependencies"]) || !Array.isArray(before.dependencies)) return filled as DraftTask;
  const known = before.dependencies;
  const dependencies = filled["dependencies"].map((each: unknown, index) => {
    if (!isMap(each)) return each;
    const same = [known[index], ...known].find((one) => one?.taskRef === each["taskRef"]);
    return filledIn(each, defaultsOfDependency, same ?? {});
  });
  return { ...filled, dependencies } as DraftTask;
}

function allTriggers(read: unknown, saved: Members): unknown {
  if (read != null && !isMap(read)) return read;
  const kinds = new Set([...Object.keys(saved), ...Object.keys(read ?? {})]);
  return Object.fromEntries(
    [...kinds].map((kind) => {
      const [given, before] = [read?.[kind] ?? {}, saved[kind]];
      if (!isMap(given) || !isMap(before)) return [kind, given];
      return [kind, filledIn(filledIn(given, defaultsOfTrigger(kind), before), emptyInTrigger, before)];
    }),
  );
}

/** Larger graphs are written with their places, since finding them would delay the text. */
const mostUnplaced = 100;

/** Whether an author chose the places of the tasks: otherwise they are found again without being written. */
function hasOwnPlaces(draft: Draft): boolean {
  return (
    draft.tasks.length > mostUnplaced || !sameJson(placeMissing({ ...draft, tasks: draft.tasks.map(withoutPlace) }).tasks, draft.tasks)
  );
}

function withoutPlace(task: DraftTask): DraftTask {
  if (!isMap(task.annotations)) return task;
  const { [positionKey]: _place, ...annotations } = task.annotations;
  return { ...task, annotations };
}

function without(thing: Members, defaults: Members): Members {
  return Object.fromEntries(Object.entries(thing).filter(([key, value]) => !(key in defaults && sameJson(value, defaults[key]))));
}

/** With the defaults of the members that `before` has and `read` lacks. */
function filledIn(read: Members, defaults: Members, before: Members): Members {
  const missing = Object.entries(defaults).filter(([key]) => read[key] == null && before[key] != null);
  return { ...read, ...Object.fromEntries(missing) };
}

function membersOf(value: unknown): [string, unknown][] {
  return isMap(value) ? Object.entries(value) : [];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { components } from "@millrace/client/schema.generated.ts";
import { memberChanges } from "../../api/changes.ts";
import type { Point } from "../../graph/layout.ts";
import { markerOf } from "../../graph/node-size.ts";
import { olderPositionKey, placesOf, positionKey, positionOf } from "../../graph/task-places.ts";

/**
 * What the designer works on: the workflow document itself, as a client writes it, not the canvas of the `compose` endpoint. The
 * document is what is versioned, exported, compared and shown as code, so one draft of it serves the drawing and the text alike,
 * and nothing is lost between the two. Positions are where the document has them, in an annotation of each task; an edge is a
 * dependency of the task that it leads to, and a node is known by its name, as references and dependencies know it.
 */
type Schemas = components["schemas"];
export type Workflow = Schemas["Workflow"];
export type DraftTask = Schemas["WorkflowTask"] & Record<string, unknown>;
export type Dependency = Schemas["WorkflowTaskDependency"] & Record<string, unknown>;
export type Condition = NonNullable<Dependency["executionCondition"]>;

export interface Draft extends Record<string, unknown> {
  name: string;
  params: Schemas["AbstractParam"][];
  tasks: DraftTask[];
  canvasNotes?: CanvasNote[];
}

/** A remark on the canvas, in Markdown. The service keeps it as a member that it does not know, with each version. */
export interface CanvasNote {
  id: string;
  text: string;
  position: Point;
}

/** Set by the service; what is written of it is not read. */
const computed = ["id", "version", "creationDate", "upgradesAvailable", "changelog"] as const;

/** The same for all versions. Written only where it was changed, so that a save of the graph takes nothing back of what others set. */
const unversioned = ["displayName", "status", "icon", "description", "labels", "annotations", "triggers"] as const;

/**
 * The draft of a workflow that was read. Tasks without a position get one here, before anything was changed, so that nothing jumps later.
 */
export function draftOf(workflow: Workflow): Draft {
  const rest: Record<string, unknown> = { ...workflow };
  for (const member of computed) delete rest[member];
  const tasks = (workflow.tasks ?? []).map(({ upgradesAvailable: _computed, ...task }) => task as DraftTask);
  return placeMissing({ ...rest, name: workflow.name, params: workflow.params ?? [], tasks });
}

/** What is sent to be saved. */
export function bodyOf(draft: Draft, baseline: Draft): Workflow {
  const body: Record<string, unknown> = { ...draft, name: baseline.name };
  for (const member of unversioned) if (sameJson(draft[member], baseline[member])) delete body[member];
  for (const member of ["labels", "annotations"] as const)
    if (!sameJson(draft[member], baseline[member])) body[member] = memberChanges(membersOf(baseline, member), membersOf(draft, member));
  return body as Workflow;
}

/** Whether something differs that belongs to a version. */
export function isVersionedChange(draft: Draft, baseline: Draft): boolean {
  const keys = new Set([...Object.keys(draft), ...Object.keys(baseline)]);
  for (const member of unversioned) keys.delete(member);
  return [...keys].some((key) => !sameJson(draft[key], baseline[key]));
}

function membersOf(draft: Draft, member: string): Record<string, unknown> | undefined {
  const value = draft[member];
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

export function placed(task: DraftTask, { x, y }: Point): DraftTask {
  const { [olderPositionKey]: _older, ...annotations } = task.annotations ?? {};
  return { ...task, annotations: { ...annotations, [positionKey]: { x: Math.round(x), y: Math.round(y) } } };
}

/** Gives a place to the tasks that have none: all of them in ranks when none has one, else below the others. */
export function placeMissing(draft: Draft): Draft {
  if (draft.tasks.every((task) => positionOf(task) !== undefined)) return draft;
  const places = placesOf(draft.tasks);
  const tasks = draft.tasks.map((task) => {
    const at = places.get(task.name);
    return positionOf(task) || !at ? task : placed(task, at);
  });
  return { ...draft, tasks };
}

export function isMarker(task: Pick<DraftTask, "name" | "type">): boolean {
  return markerOf(task) !== undefined;
}

/** Whether both say the same: the order of members is no matter, and null is as good as absent. What was not changed is the same object. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((each, index) => sameJson(each, other[index]))
    );
  }
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].every((key) => sameJson(mine[key], theirs[key]));
}

import type { components } from "@millrace/client/schema.generated.ts";
import { memberChanges } from "../../api/changes.ts";
import type { Point } from "../../graph/layout.ts";
import { markerOf } from "../../graph/node-size.ts";
import { olderPositionKey, placesOf, positionKey, positionOf } from "../../graph/task-places.ts";

/**
 * The designer's data: the workflow document itself, as clients write it, not the canvas of the `compose` endpoint. The document is what is
 * versioned, exported, compared and shown as code. With a single draft of it for the drawing and the text, nothing is lost between the two.
 * Positions are stored in the document, in an annotation of each task. An edge is a dependency of the task it leads to, and a node is
 * identified by its name, as in references and dependencies.
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

/** A note on the canvas, in Markdown. The service doesn't know this member, but stores it with each version. */
export interface CanvasNote {
  id: string;
  text: string;
  position: Point;
}

/** Set by the service, which ignores them in requests. */
const computed = ["id", "version", "creationDate", "upgradesAvailable", "changelog"] as const;

/** The same for all versions. Sent only if changed, so that saving the graph doesn't revert changes by other users. */
const unversioned = ["displayName", "status", "icon", "description", "labels", "annotations", "triggers"] as const;

/** The draft of a loaded workflow. Tasks without a position get one here, before any change, so that nothing moves later. */
export function draftOf(workflow: Workflow): Draft {
  const rest: Record<string, unknown> = { ...workflow };
  for (const member of computed) delete rest[member];
  const tasks = (workflow.tasks ?? []).map(({ upgradesAvailable: _computed, ...task }) => task as DraftTask);
  return placeMissing({ ...rest, name: workflow.name, params: workflow.params ?? [], tasks });
}

/** The body of the request that saves the draft. */
export function bodyOf(draft: Draft, baseline: Draft): Workflow {
  const body: Record<string, unknown> = { ...draft, name: baseline.name };
  for (const member of unversioned) if (sameJson(draft[member], baseline[member])) delete body[member];
  for (const member of ["labels", "annotations"] as const)
    if (!sameJson(draft[member], baseline[member])) body[member] = memberChanges(membersOf(baseline, member), membersOf(draft, member));
  return body as Workflow;
}

/** Whether anything that belongs to a version differs. */
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

/** Assigns positions to tasks without one: if no task has a position, all are arranged in ranks, otherwise below the others. */
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

/** Whether both have the same content: the order of members is ignored, and null equals absent. Unchanged parts are the same object. */
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

import { useReactFlow } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { TaskDefinition } from "../api/queries/task-catalog.ts";
import type { Point } from "../graph/layout.ts";
import { bringIntoView } from "./bring-into-view.ts";
import { type Draft, type DraftTask, isMarker, markerOf, positionOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { endsOf } from "./flow-graph.ts";
import {
  addTask,
  arrange,
  type Clip,
  changeNote,
  copyNodes,
  disconnect,
  findTask,
  pasteNodes,
  removeNodes,
  type Spot,
} from "./graph-edits.ts";
import { useSelection } from "./selection.ts";

/** What was copied last; for all workflows of this page. */
let clipboard: Clip | undefined;

/** The deeds of the canvas and its palette: each changes the draft, and chooses what came of it. */
export function useEdits() {
  const { history, change, dispatch, whyNotEdit } = useDraft();
  const { selected, select } = useSelection();
  const flow = useReactFlow();
  const now = useRef({ history, selected });
  now.current = { history, selected };
  return useMemo(() => {
    const isFixed = whyNotEdit !== undefined;
    const middle = (): Point => {
      const box = document.querySelector(".react-flow")?.getBoundingClientRect();
      return box ? flow.screenToFlowPosition({ x: box.x + box.width / 2 - 104, y: box.y + box.height / 2 - 28 }) : { x: 0, y: 0 };
    };
    const present = () => now.current.history.present;
    const showTask = (draft: Draft, name: string | undefined) => {
      const at = positionOf(findTask(draft, name ?? "") ?? { name: "" });
      if (at) bringIntoView(flow, at);
    };
    const paste = (clip: Clip | undefined) => {
      if (isFixed || !clip) return;
      const { draft, names } = pasteNodes(present(), clip, () => crypto.randomUUID());
      change(() => draft);
      select(names);
      showTask(draft, names[0]);
    };
    return {
      /** To a place, else behind the chosen task or into the chosen edge, else behind the start of an empty workflow, else into the middle. */
      add(definition: TaskDefinition, at?: Point) {
        if (isFixed) return;
        const { draft, name } = addTask(
          present(),
          taskOf(definition),
          at ? { at } : spotFor(present().tasks, now.current.selected, middle),
        );
        change(() => draft);
        select([name]);
        showTask(draft, name);
      },
      /** Chooses a task that may be out of sight. */
      show(name: string) {
        select([name]);
        showTask(present(), name);
      },
      addNote() {
        if (isFixed) return;
        const id = crypto.randomUUID();
        const position = middle();
        change((draft) => changeNote(draft, { id, text: "", position }));
        select([id]);
      },
      remove() {
        if (isFixed) return;
        const ids = now.current.selected;
        const edges = [...ids].flatMap((id) => endsOf(id) ?? []);
        change((draft) =>
          removeNodes(
            edges.reduce((next, { from, to }) => disconnect(next, from, to), draft),
            ids,
          ),
        );
        select([...ids].filter((id) => isMarker(findTask(present(), id) ?? { name: "" })));
      },
      copy() {
        const clip = copyNodes(present(), now.current.selected);
        if (clip.tasks.length + clip.notes.length > 0) clipboard = clip;
      },
      paste: () => paste(clipboard),
      duplicate: () => paste(copyNodes(present(), now.current.selected)),
      selectNone: () => select([]),
      selectAll: () => select([...present().tasks.map(({ name }) => name), ...(present().canvasNotes ?? []).map(({ id }) => id)]),
      arrange: () => !isFixed && change(arrange),
      undo: () => !isFixed && dispatch({ type: "undo" }),
      redo: () => !isFixed && dispatch({ type: "redo" }),
    };
  }, [change, dispatch, flow, select, whyNotEdit]);
}

export type Edits = ReturnType<typeof useEdits>;

function taskOf({ name, type, version }: TaskDefinition): DraftTask {
  return {
    name: name ?? "task",
    taskRef: name ?? "",
    type: (type ?? "template") as NonNullable<DraftTask["type"]>,
    taskVersion: version ?? 1,
    params: [],
    dependencies: [],
  };
}

function spotFor(tasks: readonly DraftTask[], selected: ReadonlySet<string>, middle: () => Point): Spot {
  const [only] = selected.size === 1 ? selected : [];
  const ends = only === undefined ? undefined : endsOf(only);
  if (ends) return { after: ends.from, before: ends.to };
  const chosen = tasks.find(({ name }) => name === only);
  if (chosen && markerOf(chosen) !== "end") return { after: chosen.name };
  const start = tasks.find((task) => markerOf(task) === "start");
  return start && tasks.every(isMarker) ? { after: start.name } : { at: middle() };
}

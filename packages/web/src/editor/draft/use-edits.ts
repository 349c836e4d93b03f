import { notifications } from "@mantine/notifications";
import { useReactFlow } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { Point } from "../../graph/layout.ts";
import { aroundPoint } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import { t } from "../../texts/workflow/designer.ts";
import { bringIntoView } from "../canvas/canvas-view.ts";
import { endsOf, type Selection, useSelection } from "../canvas/flow-elements.ts";
import { spotFor, taskOf } from "../palette/palette-groups.ts";
import { type Draft, isMarker } from "./draft.ts";
import { type DraftSession, useDraft } from "./draft-context.ts";
import { addTask, arrange, type Clip, changeNote, copyNodes, disconnect, findTask, pasteNodes, removeNodes } from "./graph-edits.ts";
import type { History } from "./history.ts";
import { unseenChange } from "./unseen-change.ts";

/** What the actions need: the latest draft, the latest selection, and the canvas. */
interface Bench extends Pick<DraftSession, "change" | "dispatch">, Pick<Selection, "select"> {
  present: () => Draft;
  history: () => History;
  selected: () => ReadonlySet<string>;
  /** The position for a task in the middle of the visible area. */
  middle: () => Point;
  show: (draft: Draft, name: string | undefined) => void;
}

/** The last copied content, shared by all workflows opened in this page. */
let clipboard: Clip | undefined;

/** The actions of the canvas and the palette. Each changes the draft and selects the result. If the draft is read-only, they do nothing. */
export function useEdits() {
  const { history, change, dispatch, whyNotEdit } = useDraft();
  const { selected, select } = useSelection();
  const flow = useReactFlow();
  const now = useRef({ history, selected });
  now.current = { history, selected };
  const isFixed = whyNotEdit !== undefined;
  return useMemo(() => {
    const bench: Bench = {
      ...{ change, dispatch, select },
      present: () => now.current.history.present,
      history: () => now.current.history,
      selected: () => now.current.selected,
      middle: () => middleOf(flow),
      show(draft, name) {
        const at = positionOf(findTask(draft, name ?? "") ?? { name: "" });
        if (at) bringIntoView(flow, at);
      },
    };
    return { ...choosing(bench), ...unlessFixed(isFixed, { ...additions(bench), ...clipboardActions(bench), ...changes(bench) }) };
  }, [change, dispatch, flow, select, isFixed]);
}

export type Edits = ReturnType<typeof useEdits>;

function middleOf(flow: Pick<ReturnType<typeof useReactFlow>, "screenToFlowPosition">): Point {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box ? aroundPoint(flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 })) : { x: 0, y: 0 };
}

function unlessFixed<Actions extends Record<string, (...args: never[]) => void>>(isFixed: boolean, actions: Actions): Actions {
  if (!isFixed) return actions;
  const still = { ...actions };
  for (const name of Object.keys(actions) as (keyof Actions)[]) still[name] = (() => {}) as Actions[keyof Actions];
  return still;
}

function choosing({ present, selected, select, show }: Bench) {
  return {
    /** Selects a task and scrolls it into view if needed. */
    show(name: string) {
      select([name]);
      show(present(), name);
    },
    selectNone: () => select([]),
    selectAll: () => select([...present().tasks.map(({ name }) => name), ...(present().canvasNotes ?? []).map(({ id }) => id)]),
    copy() {
      const clip = copyNodes(present(), selected());
      if (clip.tasks.length + clip.notes.length > 0) clipboard = clip;
    },
  };
}

function additions({ present, selected, change, select, middle, show }: Bench) {
  return {
    /**
     * Returns the name of the new task. Adds it at the position, otherwise after the selected task or into the selected edge, otherwise
     * after the start of an empty workflow, otherwise in the middle.
     */
    add(definition: TaskDefinition, at?: Point): string | undefined {
      const spot = at ? { at } : spotFor(present().tasks, selected(), middle);
      const { draft, name } = addTask(present(), taskOf(definition), spot);
      change(() => draft);
      select([name]);
      show(draft, name);
      return name;
    },
    addNote() {
      const id = crypto.randomUUID();
      const position = middle();
      change((draft) => changeNote(draft, { id, text: "", position }));
      select([id]);
    },
  };
}

function clipboardActions({ present, selected, change, select, show }: Bench) {
  const paste = (clip: Clip | undefined) => {
    if (!clip) return;
    const { draft, names } = pasteNodes(present(), clip, () => crypto.randomUUID());
    change(() => draft);
    select(names);
    show(draft, names[0]);
  };
  return {
    paste: () => paste(clipboard),
    duplicate: () => paste(copyNodes(present(), selected())),
  };
}

function changes({ present, history, selected, change, dispatch, select }: Bench) {
  /** All views of a workflow share one history: changes that aren't visible here are announced. */
  const step = (type: "undo" | "redo", to: Draft | undefined) => {
    const place = to && unseenChange(present(), to);
    dispatch({ type });
    if (place !== undefined) notifications.show({ message: t(type === "undo" ? "edits.undone" : "edits.redone", { place }) });
  };
  return {
    /** Removes the selection, except start and end, which stay selected. */
    remove() {
      const ids = selected();
      const edges = [...ids].flatMap((id) => endsOf(id) ?? []);
      const withoutEdges = (draft: Draft) => edges.reduce((next, { from, to }) => disconnect(next, from, to), draft);
      change((draft) => removeNodes(withoutEdges(draft), ids));
      select([...ids].filter((id) => isMarker(findTask(present(), id) ?? { name: "" })));
    },
    arrange: () => change(arrange),
    undo: () => step("undo", history().past.at(-1)),
    redo: () => step("redo", history().future[0]),
  };
}

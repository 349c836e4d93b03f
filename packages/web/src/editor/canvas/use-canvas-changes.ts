import type { Connection, EdgeChange, NodeChange } from "@xyflow/react";
import { type Dispatch, type SetStateAction, useMemo, useRef } from "react";
import type { Point } from "../../graph/layout.ts";
import { type Draft, positionOf } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { connect, moveTasks, whyNotConnect } from "../draft/graph-edits.ts";
import { edgeId, type FlowEdge, type FlowNode } from "./flow-elements.ts";
import { type Selection, useSelection } from "./selection.ts";

type Places = ReadonlyMap<string, Point>;

/**
 * What the canvas tells of the pointer and the keys: chosen, moved, linked. The functions stay the same, so that nothing is told to
 * all tasks anew.
 */
export function useCanvasChanges(setDragged: Dispatch<SetStateAction<Places>>) {
  const { history, whyNotEdit, change } = useDraft();
  const { select } = useSelection();
  const draft = useRef(history.present);
  draft.current = history.present;
  const isFixed = whyNotEdit !== undefined;
  return useMemo(
    () => ({
      onNodesChange(changes: NodeChange<FlowNode>[]) {
        applySelection(changes, select);
        const moves = changes.filter((each) => each.type === "position").filter(({ position }) => position !== undefined);
        if (moves.length === 0 || isFixed) return;
        const places = new Map(moves.map(({ id, position }) => [id, position as Point]));
        if (moves.some(({ dragging }) => dragging)) return setDragged((before) => new Map([...before, ...places]));
        setDragged(new Map());
        if (isMoved(draft.current, places)) change((before) => moveTasks(before, places));
      },
      onEdgesChange: (changes: EdgeChange<FlowEdge>[]) => applySelection(changes, select),
      onConnect({ source, target }: Connection) {
        change((before) => connect(before, source, target));
        select([edgeId(source, target)]);
      },
      isValidConnection: ({ source, target }: Pick<Connection, "source" | "target">) =>
        whyNotConnect(draft.current, source, target) === undefined,
    }),
    [change, select, setDragged, isFixed],
  );
}

function isMoved(draft: Draft, places: Places): boolean {
  const at = new Map([
    ...draft.tasks.map((task) => [task.name, positionOf(task)] as const),
    ...(draft.canvasNotes ?? []).map((note) => [note.id, note.position] as const),
  ]);
  return [...places].some(([id, { x, y }]) => at.get(id)?.x !== Math.round(x) || at.get(id)?.y !== Math.round(y));
}

interface SelectChange {
  type: string;
  id?: string;
  selected?: boolean;
}

/** From what is chosen by then: the canvas tells of nodes and of edges one after the other. */
function applySelection(changes: readonly SelectChange[], select: Selection["select"]): void {
  const chosen = changes.filter(({ type }) => type === "select");
  if (chosen.length === 0) return;
  select((before) => {
    const next = new Set(before);
    for (const { id = "", selected } of chosen) {
      if (selected) next.add(id);
      else next.delete(id);
    }
    return next;
  });
}

import "@xyflow/react/dist/base.css";
import { useQuery } from "@tanstack/react-query";
import { type Connection, type EdgeChange, MarkerType, type NodeChange, ReactFlow, SelectionMode, useReactFlow } from "@xyflow/react";
import { type Dispatch, type DragEvent, type ReactNode, type SetStateAction, useCallback, useMemo, useRef, useState } from "react";
import { availableParametersQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { CanvasGround, graphLabels } from "../../graph/canvas-ground.tsx";
import { FarEdges, useIsFar, useKnownSizes } from "../../graph/far-edges.tsx";
import type { Point } from "../../graph/layout.ts";
import { MiniMap } from "../../graph/mini-map.tsx";
import { useNearView } from "../../graph/near-view.ts";
import { aroundPoint } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import { useSame } from "../../hooks/use-same.ts";
import { t } from "../../texts/workflow/designer.ts";
import type { Draft } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { connect, moveTasks, whyNotConnect } from "../draft/graph-edits.ts";
import type { Edits } from "../draft/use-edits.ts";
import { knownNames } from "../node/known-names.ts";
import { draggedTask, paletteTasks } from "../palette/palette-groups.ts";
import { useTrial } from "../trial/trial-context.ts";
import { trialMarks } from "../trial/trial-state.ts";
import classes from "./canvas.module.css";
import { openView } from "./canvas-view.ts";
import { ConditionEdgeView } from "./condition-edge.tsx";
import { edgeId, FarContext, type FlowEdge, type FlowNode, type Selection, useSelection } from "./flow-elements.ts";
import { createFlowBuilder, nodeBoxes } from "./flow-graph.ts";
import { NoteNodeView, TaskNodeView } from "./node-views.tsx";

// These objects must stay the same: when one changes, the canvas updates all its parts.
const nodeTypes = { task: TaskNodeView, note: NoteNodeView };
const edgeTypes = { condition: ConditionEdgeView };
const edgeDefaults = { markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--line-strong)" } };
const looks = { minZoom: 0.02, maxZoom: 2, zoomOnDoubleClick: false, proOptions: { hideAttribution: true } };
const choosing = { selectionMode: SelectionMode.Partial, multiSelectionKeyCode: ["Shift", "Control", "Meta"], deleteKeyCode: null };

interface CanvasProps {
  edits: Edits;
  /** Opens a task in the large editor. */
  onOpen: (task: string) => void;
  /** Shown above the drawing. */
  children?: ReactNode;
}

/** The drawing of the workflow. It never moves by itself: only the user moves it. */
export function Canvas({ edits, onOpen, children }: CanvasProps) {
  const { history, whyNotEdit } = useDraft();
  const { selected } = useSelection();
  useKnownSizes();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(new Map());
  const draft = history.present;
  const { nodes, edges, farEdges, isFar } = useFlowGraph(dragged);
  const boxes = useMemo(() => nodeBoxes({ draft, selected, dragged }), [draft, selected, dragged]);
  const changes = useCanvasChanges(setDragged);
  const drop = useTaskDrop(edits);
  const open = useRef(onOpen);
  open.current = onOpen;
  const onDouble = useCallback((_: unknown, { id, type }: FlowNode) => type === "task" && open.current(id), []);
  return (
    <FarContext value={isFar}>
      <ReactFlow<FlowNode, FlowEdge>
        className={classes.canvas ?? ""}
        {...{ nodes, edges, nodeTypes, edgeTypes }}
        {...looks}
        {...choosing}
        {...changes}
        {...drop}
        defaultEdgeOptions={edgeDefaults}
        nodesConnectable={whyNotEdit === undefined}
        onNodeDoubleClick={onDouble}
        onInit={() => openView(flow, draft, selected)}
        connectionRadius={32}
        ariaLabelConfig={graphLabels}
        tabIndex={0}
        aria-label={t("canvas.workflowCanvas")}
      >
        <CanvasGround />
        {isFar && <FarEdges edges={farEdges} />}
        <MiniMap label={t("canvas.miniMap")} boxes={boxes} />
        {children}
      </ReactFlow>
    </FarContext>
  );
}

/** The part of the draft that is currently rendered. */
function useFlowGraph(dragged: ReadonlyMap<string, Point>) {
  const { team, workflow, history, catalog, problems, whyNotEdit } = useDraft();
  const { selected } = useSelection();
  const [build] = useState(createFlowBuilder);
  const draft = history.present;
  const { outputs, pins, stale } = useTrial();
  const trials = useMemo(() => trialMarks({ outputs, pins }, stale), [outputs, pins, stale]);
  const { data: saved } = useQuery(availableParametersQuery(team, workflow));
  const tasksNow = useSame(draft.tasks.map(({ name, type }) => ({ name, type })));
  const names = useMemo(() => saved && knownNames({ tasks: tasksNow, params: draft.params }, saved), [tasksNow, draft.params, saved]);
  const near = useNearView(draft.tasks.length);
  const isFar = useIsFar(draft.tasks.length);
  const isFixed = whyNotEdit !== undefined;
  const graph = useMemo(
    () => build({ draft, catalog, problems, selected, dragged, isFixed, trials, names, near, isFar }),
    [build, draft, catalog, problems, selected, dragged, isFixed, trials, names, near, isFar],
  );
  return { ...graph, isFar };
}

type Places = ReadonlyMap<string, Point>;

/**
 * Handlers for the canvas's pointer and keyboard events: selection, moves, links. The functions stay the same, so that the tasks aren't
 * updated again.
 */
function useCanvasChanges(setDragged: Dispatch<SetStateAction<Places>>) {
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

/** Starts from the latest selection, because the canvas reports changes of nodes and of edges separately. */
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

/** Adds a task of the palette where it is dropped on the canvas. */
function useTaskDrop(edits: Edits) {
  const { catalog } = useDraft();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(
    () => ({
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop(event: DragEvent) {
        const name = event.dataTransfer.getData(draggedTask);
        const definition = paletteTasks(catalog).find((each) => each.name === name);
        if (!definition) return;
        event.preventDefault();
        edits.add(definition, aroundPoint(screenToFlowPosition({ x: event.clientX, y: event.clientY })));
      },
    }),
    [catalog, edits, screenToFlowPosition],
  );
}

import "@xyflow/react/dist/base.css";
import { Background, MarkerType, MiniMap, type NodeChange, ReactFlow, SelectionMode, useReactFlow } from "@xyflow/react";
import { type DragEvent, useMemo, useState } from "react";
import type { Point } from "../graph/layout.ts";
import { openView } from "./bring-into-view.ts";
import classes from "./canvas.module.css";
import { ConditionEdgeView } from "./condition-edge.tsx";
import { positionOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { createFlowBuilder, edgeId, type FlowEdge, type FlowNode } from "./flow-graph.ts";
import { connect, moveTasks, whyNotConnect } from "./graph-edits.ts";
import { NoteNodeView } from "./note-node.tsx";
import { draggedTask } from "./palette-drag.ts";
import { type Selection, useSelection } from "./selection.ts";
import { TaskNodeView } from "./task-node.tsx";
import type { Edits } from "./use-edits.ts";

const nodeTypes = { task: TaskNodeView, note: NoteNodeView };
const edgeTypes = { condition: ConditionEdgeView };
const edgeDefaults = { markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--line-strong)" } };

/** The drawing of the workflow. It never moves by itself: only who looks at it moves it. */
export function Canvas({ edits }: { edits: Edits }) {
  const { history, catalog, problems, whyNotEdit, change } = useDraft();
  const { selected, select } = useSelection();
  const { screenToFlowPosition } = useReactFlow();
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(new Map());
  const [build] = useState(createFlowBuilder);
  const draft = history.present;
  const isFixed = whyNotEdit !== undefined;
  const { nodes, edges } = useMemo(
    () => build({ draft, catalog, problems, selected, dragged, isFixed }),
    [build, draft, catalog, problems, selected, dragged, isFixed],
  );
  const onNodesChange = (changes: NodeChange<FlowNode>[]) => {
    applySelection(changes, select);
    const moves = changes.flatMap((each) => (each.type === "position" && each.position ? [{ ...each, position: each.position }] : []));
    if (moves.length === 0 || isFixed) return;
    const positions = new Map(moves.map(({ id, position }) => [id, position]));
    if (moves.some(({ dragging }) => dragging)) return setDragged((before) => new Map([...before, ...positions]));
    setDragged(new Map());
    const at = new Map([
      ...draft.tasks.map((task) => [task.name, positionOf(task)] as const),
      ...(draft.canvasNotes ?? []).map((note) => [note.id, note.position] as const),
    ]);
    const isMoved = [...positions].some(([id, { x, y }]) => at.get(id)?.x !== Math.round(x) || at.get(id)?.y !== Math.round(y));
    if (isMoved) change((before) => moveTasks(before, positions));
  };
  const drop = (event: DragEvent) => {
    const definition = catalog?.get(event.dataTransfer.getData(draggedTask));
    if (!definition) return;
    event.preventDefault();
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    edits.add(definition, { x: point.x - 104, y: point.y - 28 });
  };
  return (
    <ReactFlow<FlowNode, FlowEdge>
      className={classes.canvas ?? ""}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      defaultEdgeOptions={edgeDefaults}
      onNodesChange={onNodesChange}
      onEdgesChange={(changes) => applySelection(changes, select)}
      onConnect={({ source, target }) => {
        change((before) => connect(before, source, target));
        select([edgeId(source, target)]);
      }}
      isValidConnection={({ source, target }) => whyNotConnect(draft, source, target) === undefined}
      nodesConnectable={!isFixed}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      onlyRenderVisibleElements
      onInit={(flow) => openView(flow, draft, selected)}
      minZoom={0.02}
      maxZoom={2}
      connectionRadius={32}
      selectionMode={SelectionMode.Partial}
      multiSelectionKeyCode={["Shift", "Control", "Meta"]}
      deleteKeyCode={null}
      zoomOnDoubleClick={false}
      proOptions={{ hideAttribution: true }}
      aria-label="Canvas of the workflow"
    >
      <Background gap={16} color="var(--line)" />
      <MiniMap
        pannable
        zoomable
        className={classes.map ?? ""}
        nodeClassName={(node) => (node.selected ? (classes.mapChosen ?? "") : (classes.mapNode ?? ""))}
        ariaLabel="The whole workflow in small"
        maskColor="color-mix(in srgb, var(--line) 50%, transparent)"
        style={{ width: 160, height: 104 }}
      />
    </ReactFlow>
  );
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

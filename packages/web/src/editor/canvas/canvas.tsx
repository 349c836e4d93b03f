import "@xyflow/react/dist/base.css";
import { MarkerType, ReactFlow, SelectionMode, useReactFlow } from "@xyflow/react";
import { useMemo, useState } from "react";
import { CanvasGround } from "../../graph/canvas-ground.tsx";
import { FarEdges } from "../../graph/far-edges.tsx";
import type { Point } from "../../graph/layout.ts";
import { MiniMap } from "../../graph/mini-map.tsx";
import { useIsFar } from "../../graph/use-is-far.ts";
import { useKnownSizes } from "../../graph/use-known-sizes.ts";
import { useNearView } from "../../graph/use-near-view.ts";
import { t } from "../../texts/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { useTaskDrop } from "../palette/use-task-drop.ts";
import { openView } from "./bring-into-view.ts";
import classes from "./canvas.module.css";
import { ConditionEdgeView } from "./condition-edge.tsx";
import { FarContext } from "./far-context.ts";
import type { FlowEdge, FlowNode } from "./flow-elements.ts";
import { createFlowBuilder, nodeBoxes } from "./flow-graph.ts";
import { NoteNodeView } from "./note-node.tsx";
import { useSelection } from "./selection.ts";
import { TaskNodeView } from "./task-node.tsx";
import { useCanvasChanges } from "./use-canvas-changes.ts";

// Each of these is the same at all times: the canvas tells all its parts of what is new.
const nodeTypes = { task: TaskNodeView, note: NoteNodeView };
const edgeTypes = { condition: ConditionEdgeView };
const edgeDefaults = { markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--line-strong)" } };
const looks = { minZoom: 0.02, maxZoom: 2, zoomOnDoubleClick: false, proOptions: { hideAttribution: true } };
const choosing = { selectionMode: SelectionMode.Partial, multiSelectionKeyCode: ["Shift", "Control", "Meta"], deleteKeyCode: null };

/** The drawing of the workflow. It never moves by itself: only who looks at it moves it. */
export function Canvas({ edits }: { edits: Edits }) {
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
        onInit={() => openView(flow, draft, selected)}
        connectionRadius={32}
        tabIndex={0}
        aria-label={t("canvas.workflowCanvas")}
      >
        <CanvasGround />
        {isFar && <FarEdges edges={farEdges} />}
        <MiniMap label={t("canvas.miniMap")} boxes={boxes} />
      </ReactFlow>
    </FarContext>
  );
}

/** What of the draft is drawn now. */
function useFlowGraph(dragged: ReadonlyMap<string, Point>) {
  const { history, catalog, problems, whyNotEdit } = useDraft();
  const { selected } = useSelection();
  const [build] = useState(createFlowBuilder);
  const draft = history.present;
  const near = useNearView(draft.tasks.length);
  const isFar = useIsFar(draft.tasks.length);
  const isFixed = whyNotEdit !== undefined;
  const graph = useMemo(
    () => build({ draft, catalog, problems, selected, dragged, isFixed, near, isFar }),
    [build, draft, catalog, problems, selected, dragged, isFixed, near, isFar],
  );
  return { ...graph, isFar };
}

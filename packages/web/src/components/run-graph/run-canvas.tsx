import "@xyflow/react/dist/style.css";
import type { components } from "@millrace/client/schema.generated.ts";
import { IconCheck, IconX } from "@tabler/icons-react";
import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  getViewportForBounds,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { CanvasGround, graphLabels } from "../../graph/canvas-ground.tsx";
import { FarEdges, useIsFar, useKnownSizes } from "../../graph/far-edges.tsx";
import type { LabelPlace } from "../../graph/label-place.ts";
import { MiniMap } from "../../graph/mini-map.tsx";
import { arrowStep, useNearView } from "../../graph/near-view.ts";
import { nodeSize, sizeOf } from "../../graph/node-size.ts";
import { undoPath } from "../../graph/undo-path.ts";
import { t } from "../../texts/run/run.ts";
import { createRunFlow, manyNodes, runPlaces } from "./run-flow.ts";
import classes from "./run-graph.module.css";
import { type EdgeState, type Planned, runGraph } from "./run-graph-model.ts";
import { RunTaskNode } from "./run-task-node.tsx";

const words: Record<EdgeState, string> = { taken: t("runEdge.wordTaken"), refused: t("runEdge.wordRefused"), open: t("runEdge.wordOpen") };

type EdgeData = {
  label: string | undefined;
  state: EdgeState;
  place: LabelPlace | undefined;
  isUndo?: true;
};

/** An edge between two tasks: solid if the run took it, dashed if not, thin while that is undecided. */
function RunEdgeLine(props: EdgeProps) {
  const { label, state, place, isUndo } = props.data as EdgeData;
  const path = isUndo ? undoPath(props) : getBezierPath(props)[0];
  return (
    <>
      <BaseEdge id={props.id} path={path} className={[classes.edge, classes[state], isUndo && classes.undo].filter(Boolean).join(" ")} />
      {label !== undefined && place && (
        <EdgeLabelRenderer>
          <span
            className={`${classes.label} nodrag nopan`}
            data-state={state}
            title={`${label}: ${words[state]}`}
            style={{ transform: `translate(-50%, -50%) translate(${place.x}px, ${place.y}px)`, maxWidth: place.width }}
          >
            <EdgeWords label={label} />
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** The two common conditions are shown as a symbol, the patterns of a switch as text. */
function EdgeWords({ label }: { label: string }) {
  const isSuccess = label === t("runGraphModel.success");
  if (!isSuccess && label !== t("runGraphModel.failure")) return label;
  return (
    <>
      {isSuccess ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />}
      <span className="only-heard">{label}</span>
    </>
  );
}

export interface RunCanvasProps {
  /** The tasks of the workflow version that ran. */
  workflow: readonly components["schemas"]["WorkflowTask"][];
  tasks: readonly TaskRun[];
  /** What will be done with each task, shown instead of its status. */
  planned?: Planned;
  /** The name of the selected task. */
  chosen: string | undefined;
  onChoose: (name: string) => void;
}

/**
 * Small graphs aren't enlarged. A graph opens as a whole if its names are still readable then; otherwise at its start, at a readable size.
 */
const fit = { maxZoom: 1, minZoom: 0.1, padding: 0.05, includeHiddenNodes: true };
const wholeZoom = 0.93;
const readable = 0.93;
const nodeTypes = { task: RunTaskNode };
const edgeTypes = { run: RunEdgeLine };
/** Read-only. */
const still = { nodesDraggable: false, nodesConnectable: false, nodesFocusable: false, edgesFocusable: false, elementsSelectable: false };
const looks = { minZoom: 0.05, maxZoom: 1.5, proOptions: { hideAttribution: true } };

/** A run on the graph of its workflow: which tasks ran, are running or were skipped, and the path taken. */
export function RunCanvas(props: RunCanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing(props: RunCanvasProps) {
  useKnownSizes();
  const { nodes, edges, farEdges, isFar, boxes } = useRunFlow(props);
  const { getViewport, setViewport } = useReactFlow();
  const hasMoved = useRef(false);
  const [isPlaced, setPlaced] = useState(false);
  const onMoveStart = useCallback((event: unknown) => {
    if (event !== null) hasMoved.current = true;
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = arrowStep(event);
    if (step === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    const { x, y, zoom } = getViewport();
    void setViewport({ x: x + step.x, y: y + step.y, zoom });
  };
  return (
    <ReactFlow
      className={classes.canvas ?? ""}
      data-placed={isPlaced || undefined}
      {...{ nodes, edges, nodeTypes, edgeTypes, onMoveStart }}
      {...still}
      {...looks}
      fitViewOptions={fit}
      onKeyDown={onKeyDown}
      ariaLabelConfig={graphLabels}
      tabIndex={0}
      aria-label={t("runCanvas.runGraph")}
    >
      <KeepInView hasMoved={hasMoved} chosen={props.chosen} onPlaced={setPlaced} />
      <MiniMap label={t("runCanvas.miniMap")} boxes={boxes} />
      <CanvasGround />
      {isFar && <FarEdges edges={farEdges} />}
      <Controls showInteractive={false} fitViewOptions={fit} />
      {nodes.length > manyNodes && (
        <Panel position="top-left" className={classes.note ?? ""}>
          {t("runCanvas.tasksColumnsOrderUse", { count: nodes.length })}
        </Panel>
      )}
    </ReactFlow>
  );
}

/** The rendered part of the run: of a large graph only what is near the visible area. */
function useRunFlow({ workflow, tasks, planned, chosen, onChoose }: RunCanvasProps) {
  const graph = useMemo(() => runGraph(workflow, tasks, planned), [workflow, tasks, planned]);
  // Where things are does not depend on how they stand, so nothing moves while the run continues.
  const places = useMemo(() => runPlaces(workflow), [workflow]);
  const near = useNearView(graph.nodes.length);
  const isFar = useIsFar(graph.nodes.length);
  const build = useRef<ReturnType<typeof createRunFlow>>(undefined);
  build.current ??= createRunFlow();
  const make = build.current;
  const flow = useMemo(() => make({ graph, places, chosen, near, isFar, onChoose }), [make, graph, places, chosen, near, isFar, onChoose]);
  const boxes = useMemo(
    () => graph.nodes.map((node) => ({ ...(places.get(node.name) ?? { x: 0, y: 0 }), ...sizeOf(node), isChosen: node.name === chosen })),
    [graph, places, chosen],
  );
  return { ...flow, isFar, boxes };
}

interface KeepInViewProps {
  hasMoved: { current: boolean };
  chosen: string | undefined;
  onPlaced: (isPlaced: true) => void;
}

/**
 * Keeps the graph in view when it opens and when its area shrinks, unless the user has moved it. If the whole graph would be too small to
 * read, shows the selected task or the start instead. A task selected while out of view, even because its panel took the space, is always
 * scrolled into view.
 *
 * @param onPlaced the graph is not drawn before, so that no task moves away from the pointer
 */
function KeepInView({ hasMoved, chosen, onPlaced }: KeepInViewProps) {
  const { getNode, getNodes, getNodesBounds, getViewport, setCenter, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the second effect handles the selected task
  useLayoutEffect(() => {
    if (width === 0 || hasMoved.current) return;
    onPlaced(true);
    const all = getNodesBounds(getNodes());
    if (Math.min(width / (all.width + 48), height / (all.height + 48)) >= wholeZoom)
      return void setViewport(getViewportForBounds(all, width, height, fit.minZoom, fit.maxZoom, fit.padding));
    const node = chosen === undefined ? undefined : getNode(chosen);
    if (node) return void setCenter(node.position.x + nodeSize.width / 2, node.position.y + nodeSize.height / 2, { zoom: readable });
    void setViewport({ x: 24 - all.x * readable, y: height / 2 - (all.y + all.height / 2) * readable, zoom: readable });
  }, [width, height]);
  useEffect(() => {
    const node = chosen === undefined ? undefined : getNode(chosen);
    if (width === 0 || !node) return;
    const { x, y, zoom } = getViewport();
    const dx = overhang(node.position.x * zoom + x, nodeSize.width * zoom, width);
    const dy = overhang(node.position.y * zoom + y, nodeSize.height * zoom, height);
    if (dx !== 0 || dy !== 0) void setViewport({ x: x + dx, y: y + dy, zoom });
  }, [chosen, width, height, getNode, getViewport, setViewport]);
  return null;
}

/** How far an element has to be moved to be fully visible, with a margin. */
function overhang(from: number, size: number, room: number, edge = 16): number {
  if (from < edge) return edge - from;
  return Math.min(0, room - edge - (from + size));
}

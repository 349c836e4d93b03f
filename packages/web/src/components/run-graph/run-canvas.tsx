import "@xyflow/react/dist/style.css";
import { Background, Controls, type Edge, type Node, Panel, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useMemo, useRef } from "react";
import type { TaskRun } from "../../api/queries/task-runs.ts";
import type { components } from "../../api/schema.generated.ts";
import { layoutGraph } from "../../graph/layout.ts";
import { rankLayout } from "./rank-layout.ts";
import { RunEdgeLine } from "./run-edge.tsx";
import classes from "./run-graph.module.css";
import { type RunGraph, type RunNode, runGraph } from "./run-graph-model.ts";
import { RunTaskNode, sizeOf } from "./run-task-node.tsx";

export interface RunCanvasProps {
  /** Of the workflow's version that ran. */
  workflow: readonly components["schemas"]["WorkflowTask"][];
  tasks: readonly TaskRun[];
  /** Name of the chosen task. */
  chosen: string | undefined;
  onChoose: (name: string) => void;
}

/** More nodes than these are placed by rank only. */
const manyNodes = 400;
/** Small graphs are not blown up. As a whole a graph opens where its names can still be read; else at its begin, at a size for reading. */
const fit = { maxZoom: 1, minZoom: 0.1, padding: 0.05 };
const wholeZoom = 0.6;
const readable = 0.9;
const nodeTypes = { task: RunTaskNode };
const edgeTypes = { run: RunEdgeLine };

/** A run on its workflow: what ran, what runs, what was left out, and which way it went. Only what is in view is drawn. */
export function RunCanvas({ workflow, tasks, chosen, onChoose }: RunCanvasProps) {
  const graph = useMemo(() => runGraph(workflow, tasks), [workflow, tasks]);
  // Where things are does not depend on how they stand, so nothing moves while the run goes on.
  const places = useMemo(() => placesOf(runGraph(workflow, [])), [workflow]);
  const nodes = useMemo(() => graph.nodes.map((node) => flowNode(node, places, chosen, onChoose)), [graph, places, chosen, onChoose]);
  const edges = useMemo(() => graph.edges.map(flowEdge), [graph]);
  const hasMoved = useRef(false);
  return (
    <ReactFlowProvider>
      <ReactFlow
        className={classes.canvas ?? ""}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={nodes.length > 60}
        onMoveStart={(event) => {
          if (event !== null) hasMoved.current = true;
        }}
        fitViewOptions={fit}
        minZoom={0.05}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <KeepInView hasMoved={hasMoved} chosen={chosen} />
        <Background gap={16} />
        <Controls showInteractive={false} />
        {nodes.length > manyNodes && (
          <Panel position="top-left" className={classes.note ?? ""}>
            {nodes.length.toLocaleString("en")} tasks, in columns by their order. The list finds one by name.
          </Panel>
        )}
      </ReactFlow>
    </ReactFlowProvider>
  );
}

/**
 * Keeps the graph in view when it opens and when it gets less room, unless somebody has moved it to where he wants it. What would be too small to
 * read is not fitted: the chosen task is shown then, or the begin.
 */
function KeepInView({ hasMoved, chosen }: { hasMoved: { current: boolean }; chosen: string | undefined }) {
  const { fitView, getNodes, getNodesBounds, setCenter, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing another task moves nothing, only the room that it takes does
  useEffect(() => {
    if (width === 0 || hasMoved.current) return;
    const all = getNodesBounds(getNodes());
    if (Math.min(width / (all.width + 48), height / (all.height + 48)) >= wholeZoom) return void fitView(fit);
    const node = getNodes().find(({ id }) => id === chosen);
    if (node) return void setCenter(node.position.x + 108, node.position.y + 28, { zoom: readable });
    void setViewport({ x: 24 - all.x * readable, y: height / 2 - (all.y + all.height / 2) * readable, zoom: readable });
  }, [width, height]);
  return null;
}

type Places = ReturnType<typeof layoutGraph>;

function placesOf({ nodes, edges }: RunGraph): Places {
  const sized = nodes.map((node) => ({ id: node.name, ...sizeOf(node.type) }));
  return nodes.length > manyNodes ? rankLayout(sized, edges) : layoutGraph(sized, edges);
}

function flowNode(node: RunNode, places: Places, chosen: string | undefined, onChoose: (name: string) => void): Node {
  return {
    id: node.name,
    type: "task",
    position: places.get(node.name) ?? { x: 0, y: 0 },
    ...sizeOf(node.type),
    data: { ...node, isChosen: chosen === node.name, onChoose },
  };
}

function flowEdge({ from, to, label, state }: RunGraph["edges"][number]): Edge {
  return { id: `${from}\n${to}`, source: from, target: to, type: "run", data: { label, state } };
}

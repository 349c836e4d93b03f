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
/** Small graphs are not blown up; very large ones stay readable and are cut off instead. */
const fit = { maxZoom: 1, minZoom: 0.3, padding: 0.1 };
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
        fitView
        fitViewOptions={fit}
        minZoom={0.05}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <KeepFit hasMoved={hasMoved} />
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

/** When a task opens beside it the graph has less room: it is fitted anew, unless somebody has moved it to where he wants it. */
function KeepFit({ hasMoved }: { hasMoved: { current: boolean } }) {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  useEffect(() => {
    if (width > 0 && !hasMoved.current) void fitView(fit);
  }, [width, fitView, hasMoved]);
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

import { useId, useMemo } from "react";
import { t } from "../../texts/workflows.ts";
import { nodeSize } from "./edge-way.ts";
import classes from "./graph-picture.module.css";
import { type PictureGraph, type PictureNode, type Placed, place, wordsOf } from "./picture-of-graph.ts";

const longest = 20;

/** A graph to look at: no editing, no moving. What changed differs by a word, by its line and by colour. */
export function GraphPicture({ graph, label }: { graph: PictureGraph; label: string }) {
  const placed = useMemo(() => place(graph), [graph]);
  const arrow = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.box} aria-label={label} tabIndex={0}>
      <svg width={placed.width} height={placed.height} role="img" aria-label={inWords(graph)}>
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0,0 L8,4 L0,8 z" className={classes.head} />
          </marker>
        </defs>
        <Edges edges={placed.edges} arrow={arrow} />
        {placed.nodes.map((node) => (
          <Node key={node.id} node={node} />
        ))}
      </svg>
    </section>
  );
}

function Node({ node: { id, type, change, x, y } }: { node: PictureNode & { x: number; y: number } }) {
  const isSame = change === "same";
  return (
    <g transform={`translate(${x},${y})`} data-change={change} className={classes.node}>
      <rect {...nodeSize} rx={type === "start" || type === "end" ? nodeSize.height / 2 : 4} />
      <text x={nodeSize.width / 2} y={isSame ? 25 : 18}>
        <title>{id}</title>
        {id.length > longest ? `${id.slice(0, longest - 1)}…` : id}
      </text>
      {!isSame && (
        <text x={nodeSize.width / 2} y={33} className={classes.word}>
          {change}
        </text>
      )}
    </g>
  );
}

/** All lines, and then the words of all of them: no line runs through a word. */
function Edges({ edges, arrow }: { edges: Placed["edges"]; arrow: string }) {
  return (
    <>
      {edges.map(({ from, to, change, path }) => (
        <g key={`${from}\n${to}\n${change}`} data-change={change} className={classes.edge}>
          <path d={path} markerEnd={`url(#${arrow})`} />
        </g>
      ))}
      {edges.map((edge) => (
        <g key={`${edge.from}\n${edge.to}\n${edge.change}`} data-change={edge.change} className={classes.edge}>
          <text x={edge.label.x} y={edge.label.y + 4}>
            {wordsOf(edge)}
          </text>
        </g>
      ))}
    </>
  );
}

function inWords({ nodes, edges }: PictureGraph): string {
  const tasks = nodes.map(({ id, change }) => (change === "same" ? id : t(taskKeys[change], { task: id }))).join(", ");
  const changed = edges.flatMap(({ from, to, change }) => (change === "same" ? [] : [t(linkKeys[change], { from, to })])).join(", ");
  const counts = { taskCount: nodes.length, tasks, linkCount: edges.length };
  return changed === "" ? t("graphPicture.tasksAndLinks", counts) : t("graphPicture.tasksAndChangedLinks", { ...counts, changed });
}

const taskKeys = { added: "graphPicture.taskAdded", removed: "graphPicture.taskRemoved", changed: "graphPicture.taskChanged" } as const;
const linkKeys = { added: "graphPicture.linkAdded", removed: "graphPicture.linkRemoved", changed: "graphPicture.linkChanged" } as const;

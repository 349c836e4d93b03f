import { useId, useMemo } from "react";
import classes from "./graph-picture.module.css";
import { type Change, nodeSize, type PictureGraph, type Placed, place } from "./picture-of-graph.ts";

const signs: Readonly<Record<Change, string>> = { same: "", added: "+ ", removed: "− ", changed: "~ " };
const longest = 20;

/** A graph to look at: no editing, no moving. What changed differs by colour, by the line around it and by a sign. */
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
        {placed.nodes.map(({ id, type, change, x, y }) => (
          <g key={id} transform={`translate(${x},${y})`} data-change={change} className={classes.node}>
            <rect {...nodeSize} rx={type === "start" || type === "end" ? 20 : 4} />
            <text x={nodeSize.width / 2} y={nodeSize.height / 2 + 5}>
              <title>{id}</title>
              {signs[change]}
              {id.length > longest ? `${id.slice(0, longest - 1)}…` : id}
            </text>
          </g>
        ))}
      </svg>
    </section>
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
      {edges.map(({ from, to, condition, change, middle }) => (
        <g key={`${from}\n${to}\n${change}`} data-change={change} className={classes.edge}>
          {(condition || change !== "same") && (
            <text x={middle.x} y={middle.y - 6}>
              {signs[change]}
              {condition.length > 16 ? `${condition.slice(0, 15)}…` : condition}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

function inWords({ nodes, edges }: PictureGraph): string {
  return `${nodes.length} tasks: ${nodes.map(({ id, change }) => (change === "same" ? id : `${id} (${change})`)).join(", ")}; ${edges.length} edges`;
}

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMinus, IconPlus, IconZoomReset } from "@tabler/icons-react";
import { memo, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { type Box, meets } from "../../graph/boxes.ts";
import { TaskIcon } from "../../graph/task-icon.tsx";
import { t } from "../../texts/workflow/workflows.ts";
import classes from "./graph-picture.module.css";
import { type PictureGraph, type PictureNode, type Placed, place, wordsOf } from "./picture-of-graph.ts";
import { useNearPart } from "./use-near-part.ts";

interface GraphPictureProps {
  graph: PictureGraph;
  label: string;
  /** Fits the width that is available, as long as the text stays readable. */
  isFitted?: boolean;
}

/** A graph to view: no editing, but zoom. What changed differs by a word, by its line and by colour. */
export function GraphPicture({ graph, label, isFitted = false }: GraphPictureProps) {
  const placed = useMemo(() => place(graph), [graph]);
  const arrow = useId();
  const [zoom, setZoom] = useState(1);
  const scroller = useRef<HTMLElement>(null);
  const near = useNearPart(scroller, placed, zoom);
  const words = useMemo(() => inWords(graph), [graph]);
  const isNear = (box: Box) => near === undefined || meets(box, near);
  return (
    <div className={classes.frame}>
      <ZoomTools zoom={zoom} onZoom={setZoom} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section ref={scroller} className={classes.box} aria-label={label} tabIndex={0}>
        <svg
          viewBox={`0 0 ${placed.width} ${placed.height}`}
          {...(isFitted
            ? { style: { width: `${100 * zoom}%`, minWidth: placed.width * leastScale * zoom, maxWidth: placed.width * zoom } }
            : { width: placed.width * zoom, height: placed.height * zoom })}
          role="img"
          aria-label={words}
        >
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
          <Edges edges={placed.edges.filter(({ reach }) => isNear(reach))} arrow={arrow} />
          {placed.nodes.filter(isNear).map((node) => (
            <Node key={node.id} node={node} />
          ))}
        </svg>
      </section>
    </div>
  );
}

const zooms = [0.5, 0.75, 1, 1.5, 2, 3];

function ZoomTools({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const at = zooms.indexOf(zoom);
  const tool = (name: string, to: number | undefined, icon: ReactNode) => (
    <Tooltip label={name}>
      <ActionIcon variant="default" size={28} aria-label={name} disabled={to === undefined} onClick={() => to && onZoom(to)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <div className={classes.tools}>
      {tool(t("graphPicture.zoomOut"), zooms[at - 1], <IconMinus size={16} />)}
      {tool(t("graphPicture.actualSize"), 1, <IconZoomReset size={16} />)}
      {tool(t("graphPicture.zoomIn"), zooms[at + 1], <IconPlus size={16} />)}
    </div>
  );
}

/** At a smaller scale nothing would be readable. */
const leastScale = 0.6;

/** As in the designer: the icon of the task type, the name, and below it the task or what changed. */
const Node = memo(function Node({ node: { id, type, taskRef, change, mark, x, y, width, height } }: { node: PictureNode & Box }) {
  const isMarker = type === "start" || type === "end";
  const own = mark === undefined ? taskRef : t(markKeys[mark]);
  const detail = change === "same" ? (isMarker ? undefined : own) : change;
  return (
    <g
      transform={`translate(${x},${y})`}
      data-change={change}
      data-mark={mark}
      data-marker={isMarker || undefined}
      className={classes.node}
    >
      <rect {...{ width, height }} rx={isMarker ? height / 2 : 6} />
      {!isMarker && <rect x={8} y={(height - 24) / 2} width={24} height={24} rx={4} className={classes.icon} />}
      <g transform={`translate(${11},${(height - 18) / 2})`} className={classes.sign}>
        <TaskIcon type={type} taskRef={taskRef} size={18} />
      </g>
      <text x={40} y={detail ? 24 : 33}>
        <title>{id}</title>
        {shortened(id, isMarker)}
      </text>
      {detail && (
        <text x={40} y={42} className={classes.word}>
          {shortened(detail, isMarker)}
        </text>
      )}
    </g>
  );
});

function shortened(text: string, isMarker: boolean): string {
  const longest = isMarker ? 8 : 18;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Draws all lines before all labels, so that no line crosses a label. */
function Edges({ edges, arrow }: { edges: Placed["edges"]; arrow: string }) {
  return (
    <>
      {edges.map(({ from, to, change, mark, path }) => (
        <g key={`${from}\n${to}\n${change}`} data-change={change} data-mark={mark} className={classes.edge}>
          <path d={path} markerEnd={`url(#${arrow})`} />
        </g>
      ))}
      {edges
        .filter((edge) => wordsOf(edge) !== "")
        .map((edge) => (
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
  const tasks = nodes.map(({ id, change, mark }) => {
    if (change !== "same") return t(taskKeys[change], { task: id });
    return mark === undefined ? id : `${id} (${t(markKeys[mark])})`;
  });
  const changed = edges.flatMap(({ from, to, change }) => (change === "same" ? [] : [t(linkKeys[change], { from, to })])).join(", ");
  const counts = { taskCount: nodes.length, tasks: tasks.join(", "), linkCount: edges.length };
  return changed === "" ? t("graphPicture.tasksAndLinks", counts) : t("graphPicture.tasksAndChangedLinks", { ...counts, changed });
}

const markKeys = { taken: "graphPicture.taken", missed: "graphPicture.missed" } as const;
const taskKeys = { added: "graphPicture.taskAdded", removed: "graphPicture.taskRemoved", changed: "graphPicture.taskChanged" } as const;
const linkKeys = { added: "graphPicture.linkAdded", removed: "graphPicture.linkRemoved", changed: "graphPicture.linkChanged" } as const;

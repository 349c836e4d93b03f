import type { components } from "@millrace/client/schema.generated.ts";
import { layoutGraph } from "../../graph/layout.ts";
import { listText } from "../../texts/language.ts";
import { t } from "../../texts/templates.ts";
import classes from "./templates.module.css";

type Node = components["schemas"]["WorkflowTask"];
const size = { width: 168, height: 40 };

/** The graph of a template, to be looked at: tasks, and the arrows between them with their conditions. */
export function GraphPreview({ tasks }: { tasks: readonly Node[] }) {
  const arrows = tasks.flatMap((task) =>
    (task.dependencies ?? []).map(({ taskRef, executionCondition }) => ({
      from: taskRef,
      to: task.name,
      condition: executionCondition ?? "always",
    })),
  );
  const places = layoutGraph(
    tasks.map(({ name }) => ({ id: name, ...size })),
    arrows,
  );
  const all = [...places.values()];
  const width = Math.max(0, ...all.map(({ x }) => x)) + size.width + 16;
  const height = Math.max(0, ...all.map(({ y }) => y)) + size.height + 16;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reached by keyboard
    <section className={classes.graph} tabIndex={0} aria-label={t("graphPreview.graphTemplate")}>
      <svg width={width} height={height} role="img" aria-label={words(tasks)}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0 8 4 0 8z" className={classes.head} />
          </marker>
        </defs>
        {arrows.map(({ from, to, condition }) => {
          const [start, end] = [places.get(from), places.get(to)];
          return start && end ? <Arrow key={`${from} ${to}`} start={start} end={end} condition={condition} /> : null;
        })}
        {tasks.map((task) => (
          <Task key={task.name} task={task} {...(places.get(task.name) ?? { x: 0, y: 0 })} />
        ))}
      </svg>
    </section>
  );
}

interface Place {
  x: number;
  y: number;
}

function Arrow({ start, end, condition }: { start: Place; end: Place; condition: string }) {
  const from = { x: start.x + size.width, y: start.y + size.height / 2 };
  const to = { x: end.x, y: end.y + size.height / 2 };
  const middle = (from.x + to.x) / 2;
  return (
    <g>
      <path
        d={`M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`}
        className={classes.arrow}
        markerEnd="url(#arrow)"
      />
      {condition !== "always" && (
        <text x={to.x - 16} y={to.y > from.y ? to.y + 16 : to.y - 8} textAnchor="end" className={classes.condition}>
          {condition}
        </text>
      )}
    </g>
  );
}

function Task({ task, x, y }: { task: Node } & Place) {
  const isEnd = task.type === "start" || task.type === "end";
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect {...size} rx={isEnd ? 20 : 4} className={classes.node} />
      <text x={size.width / 2} y={isEnd ? 24 : 17} textAnchor="middle" className={classes.name}>
        {short(task.name)}
      </text>
      {!isEnd && (
        <text x={size.width / 2} y={32} textAnchor="middle" className={classes.kind}>
          {short(task.taskRef ?? "")}
        </text>
      )}
    </g>
  );
}

function short(text: string): string {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

function words(tasks: readonly Node[]): string {
  return tasks
    .map(({ name, dependencies }) => {
      const before = listText((dependencies ?? []).map(({ taskRef }) => taskRef));
      return before ? t("graphPreview.after", { name, before }) : name;
    })
    .join("; ");
}

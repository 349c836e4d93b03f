import { ActionIcon, Tooltip } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { isRunOver, summaryItems } from "@millrace/contract/run/run-rules.ts";
import { IconChevronDown, IconChevronRight, IconMinus, IconPlus, IconZoomReset } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { runTimesQuery } from "../../api/queries/run/run-expectation.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { parentOf } from "../../components/run-graph/run-graph-model.ts";
import { TimeStrip } from "../../components/time-strip.tsx";
import { useNow } from "../../hooks/use-now.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { numberText } from "../../ui/format.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { usePagedTask } from "./paged-task.ts";
import { useRunView } from "./run-context.tsx";
import classes from "./timeline.module.css";
import { barsOf, type Range, rangeOf, ticksOf } from "./timeline-bars.ts";

const rowHeight = 28;
/** Longer lists of items are collapsed, since a summary of the run doesn't contain all of their items. */
const fewItems = summaryItems;

/** When each task waited and ran. A list of items can be collapsed into its task. A line marks the current time. */
export function RunTimeline() {
  const { run, tasks } = useRunView();
  const now = useNow(isRunOver(run) ? undefined : 1_000);
  const [zoom, setZoom] = useState(1);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => rowsOf(tasks, unfolded), [tasks, unfolded]);
  const range = useMemo(() => rangeOf(tasks, new Date(run.startTime ?? run.creationDate).getTime(), now), [tasks, run, now]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 12 });
  const turn = (name: string) => setUnfolded(toggled(unfolded, name));
  return (
    <div className={classes.frame}>
      <Tools zoom={zoom} onZoom={setZoom} />
      <TimesOfRun />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section ref={box} className={classes.box} tabIndex={0} aria-label={t("runTimeline.timeline")}>
        <div className={classes.sheet} style={{ "--zoom": zoom } as object}>
          <Axis range={range} />
          <div className={classes.rows} style={{ height: rows.getTotalSize() }}>
            {!isRunOver(run) && (
              <div className={classes.chart}>
                <span className={classes.now} style={{ left: `${partOf(range, now)}%` }} title={t("runTimeline.now")} />
              </div>
            )}
            {rows.getVirtualItems().map((item) => {
              const row = shown[item.index] as Row;
              const place = { range, nowMs: now, top: item.start };
              if (!("task" in row)) return <PagedItem key={`${row.itemsOf}[${row.index}]`} {...row} {...place} />;
              const { task } = row;
              const { total } = task.items ?? { total: 0 };
              const fold = { isOpen: isUnfolded(unfolded, task.name, total), count: total, toggle: () => turn(task.name) };
              return <TimelineRow key={task.id} {...{ task, ...place }} fold={total > 0 ? fold : undefined} />;
            })}
          </div>
        </div>
      </section>
    </div>
  );
}

/** How the time was spent, over all tasks. */
function TimesOfRun() {
  const { team, run } = useRunView();
  const { data } = useQuery(runTimesQuery(team, run.id));
  if (data === undefined) return <div className={classes.times} />;
  const more = data.tasks.slice(0, 1).map(({ task }) => task)[0];
  return (
    <section className={classes.times} aria-label={t("runTimeline.times")}>
      <TimeStrip times={data.total} />
      <p className="quiet">
        {t("runTimeline.submission", { duration: durationText(data.submission) })}
        {more !== undefined && data.tasks.length > 1 && (
          <> {t.rich("runTimeline.longest", { task: () => <span data-foreign>{more}</span> })}</>
        )}
      </p>
    </section>
  );
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** A click reverses the default: lists with few items are expanded, longer ones collapsed. */
function isUnfolded(turned: ReadonlySet<string>, name: string, items: number): boolean {
  return turned.has(name) !== items <= fewItems;
}

/** A task or item that is loaded, or an item that is loaded when its row comes into view. */
type Row = { task: TaskRun } | { itemsOf: string; index: number };

/** In the order in which the tasks started; those that haven't started come last. Items follow their task. */
function rowsOf(tasks: readonly TaskRun[], turned: ReadonlySet<string>): readonly Row[] {
  const items = new Map<string, Row[]>();
  for (const task of tasks) {
    if (task.item === undefined) continue;
    const list = items.get(parentOf(task.name));
    if (list) list.push({ task });
    else items.set(parentOf(task.name), [{ task }]);
  }
  const heads = tasks.filter(({ item, type }) => item === undefined && type !== "start" && type !== "end");
  const begin = ({ attempts, startTime }: TaskRun) => attempts?.[0]?.startTime ?? startTime ?? "9";
  heads.sort((a, b) => begin(a).localeCompare(begin(b)));
  return heads.flatMap((task) => {
    const { total } = task.items ?? { total: 0 };
    if (!isUnfolded(turned, task.name, total)) return [{ task }];
    const there = items.get(task.name) ?? [];
    const below = there.length === total ? there : Array.from({ length: total }, (_, index) => ({ itemsOf: task.name, index }));
    return [{ task }, ...below];
  });
}

function Tools({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const tool = (name: string, to: number, icon: React.ReactNode) => (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={() => onZoom(Math.min(64, Math.max(1, to)))}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <div className={classes.tools}>
      <Legend />
      <span className={classes.gap} />
      {tool(t("runTimeline.zoomOut"), zoom / 2, <IconMinus size={16} />)}
      {tool(t("runTimeline.fitView"), 1, <IconZoomReset size={16} />)}
      {tool(t("runTimeline.zoom"), zoom * 2, <IconPlus size={16} />)}
    </div>
  );
}

function Legend() {
  return (
    <div className={classes.legend}>
      <span>{t.rich("runTimeline.queue", { i: () => <i className={classes.bar} data-kind="queue" /> })}</span>
      <span>{t.rich("runTimeline.wait", { i: () => <i className={classes.bar} data-kind="wait" /> })}</span>
      <span>{t.rich("runTimeline.run", { i: () => <i className={classes.bar} data-kind="run" data-tone="succeeded" /> })}</span>
    </div>
  );
}

/** A label takes up to that many pixels, with the space beside it. */
const labelWidth = 88;

function Axis({ range }: { range: Range }) {
  const span = range.to - range.from;
  const { ref, width } = useElementSize();
  const count = Math.max(2, Math.floor(width / labelWidth));
  return (
    <div className={classes.axis} aria-hidden>
      <span className={classes.corner} />
      <div ref={ref} className={classes.scale}>
        {ticksOf(range, count).map(({ ms, label }) => (
          <span key={ms} className={classes.tick} style={{ left: `${(ms / span) * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  task: TaskRun;
  range: Range;
  nowMs: number;
  top: number;
  fold: { isOpen: boolean; count: number; toggle: () => void } | undefined;
}

function PagedItem({ itemsOf, index, ...place }: { itemsOf: string; index: number } & Omit<RowProps, "task" | "fold">) {
  const { team, run } = useRunView();
  const filter = useMemo(() => ({ itemsOf }), [itemsOf]);
  const task = usePagedTask(team, run.id, filter, index);
  return task && <TimelineRow {...place} task={task} fold={undefined} />;
}

/** A task in the timeline: its name and its bars. */
function TimelineRow({ task, range, nowMs, top, fold }: RowProps) {
  const { chosen, choose } = useRunView();
  const bars = barsOf(task, nowMs);
  return (
    <div className={classes.row} data-chosen={chosen?.id === task.id || undefined} style={{ transform: `translateY(${top}px)` }}>
      <div className={classes.title} data-item={task.item !== undefined || undefined}>
        <StatusMark status={task.status} isBare />
        <button type="button" className={classes.open} onClick={() => choose(task.id)} title={task.name}>
          {task.name}
        </button>
        {fold && (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={fold.isOpen}
            aria-label={t("timelineRow.items", { count: fold.count, name: task.name })}
            onClick={fold.toggle}
          >
            {numberText(fold.count)} {fold.isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </button>
        )}
      </div>
      <button type="button" className={classes.chart} tabIndex={-1} aria-hidden onClick={() => choose(task.id)}>
        {bars.map((bar, index) => {
          const left = partOf(range, bar.from);
          return (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: bars are only added
              key={index}
              className={classes.bar}
              data-kind={bar.kind}
              data-tone={bar.status === "lost" ? "failed" : statusLook(bar.status as TaskRun["status"])?.tone}
              title={`${bar.label}, ${durationText(bar.to - bar.from)}`}
              style={{ left: `${left}%`, width: `max(2px, ${partOf(range, bar.to) - left}%)` }}
            />
          );
        })}
        {bars.length === 0 && (
          <span className={classes.none}>{task.waitingFor === undefined ? statusLook(task.status).word : sentenceOf(task.waitingFor)}</span>
        )}
      </button>
    </div>
  );
}

/** The position of a moment within the range, in per cent. */
function partOf({ from, to }: Range, at: number): number {
  return ((at - from) / (to - from)) * 100;
}

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type PointerEvent, useMemo, useState } from "react";
import { mostPoints, type RunPoint, type RunsFilter, runPointsQuery } from "../../api/queries/run/activity.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/activity.ts";
import { dateFormat } from "../../ui/format.ts";
import { statusLook } from "../../ui/mark/status-mark.tsx";
import { durationText, exactTime } from "../../ui/time/time-format.ts";
import { nearestPoint, type PlacedPoint, plotRuns, type RunPlot, rangeBetween } from "./run-points.ts";
import classes from "./scatter.module.css";

interface RunScatterProps {
  team: string;
  filter: RunsFilter;
  /** The number of matching runs. */
  total: number | undefined;
  onRange: (range: { from: string; to: string }) => void;
}

/** The newest matching runs by time and duration, so that slow runs and series of failures stand out. */
export function RunScatter({ team, filter, total, onRange }: RunScatterProps) {
  // The list is loaded first: its request must not wait for this larger one.
  const { data } = useQuery({ ...runPointsQuery(team, filter), enabled: total !== undefined });
  const plot = useMemo(() => plotRuns(data ?? [], Date.now(), filter.sinceMs), [data, filter.sinceMs]);
  return (
    <figure className={classes.frame}>
      <figcaption className="only-heard">{data === undefined ? t("runScatter.loading") : summaryOf(data, plot)}</figcaption>
      {plot === undefined ? <NoPlot /> : <Plot team={team} plot={plot} onRange={onRange} />}
      {total !== undefined && total > mostPoints && (
        <div className={`${classes.note} quiet`}>{t("runScatter.newest", { count: mostPoints, total })}</div>
      )}
    </figure>
  );
}

/** The chart as a sentence, for screen readers. */
function summaryOf(runs: readonly RunPoint[], plot: RunPlot | undefined): string {
  if (plot === undefined) return t("runScatter.none");
  const counts = new Map<string, number>();
  for (const { status, phase, waitKinds } of runs) {
    const { word } = statusLook(status, phase, waitKinds);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, count]) => t("runScatter.status", { word, count }));
  const longest = plot.points.reduce((best, point) => (point.durationMs > best.durationMs ? point : best));
  return t("runScatter.summary", {
    count: runs.length,
    statuses: parts.join(", "),
    from: exactTime(new Date(plot.fromMs).toISOString()),
    to: exactTime(new Date(plot.toMs).toISOString()),
    longest: durationText(longest.durationMs),
    name: longest.run.workflowName,
  });
}

/** As high as the chart, with the line of its times: what is below must not move when the chart comes. */
function NoPlot() {
  return (
    <div aria-hidden="true">
      <div className={classes.plot} />
      <div className={classes.times} />
    </div>
  );
}

interface PlotProps {
  team: string;
  plot: RunPlot;
  onRange: RunScatterProps["onRange"];
}

/** A click opens the run at that position; dragging selects a time range. For keyboard users, the list below and the filter do the same. */
function Plot({ team, plot, onRange }: PlotProps) {
  const navigate = useNavigate();
  const [near, setNear] = useState<PlacedPoint>();
  const [mark, setMark] = useState<{ from: number; to: number }>();
  const at = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, bottom, width, height } = currentTarget.getBoundingClientRect();
    return { width, height, x: clientX - left, y: bottom - clientY };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { x, width } = at(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    setMark({ from: x / width, to: x / width });
  };
  const move = (event: PointerEvent) => {
    const place = at(event);
    if (mark) setMark({ ...mark, to: place.x / place.width });
    setNear(nearestPoint(plot, place));
  };
  const up = (event: PointerEvent) => {
    const place = at(event);
    setMark(undefined);
    if (mark === undefined) return;
    if (Math.abs(mark.to - mark.from) * place.width > 6) return onRange(rangeBetween(plot, mark.from, mark.to));
    const found = nearestPoint(plot, place);
    if (found) void navigate({ to: paths.run(team, found.run.id) });
  };
  return (
    <div aria-hidden="true">
      <div className={classes.plot}>
        {plot.durations.map(({ ms, up: share }) => (
          <div key={ms} className={classes.duration} style={{ bottom: `${share * 100}%` }}>
            <span>{durationWords(ms)}</span>
          </div>
        ))}
        <svg
          className={classes.points}
          data-near={near !== undefined || undefined}
          aria-hidden="true"
          onPointerDown={down}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={() => setMark(undefined)}
          onPointerLeave={() => setNear(undefined)}
        >
          {mark && (
            <rect
              className={classes.mark}
              x={`${Math.min(mark.from, mark.to) * 100}%`}
              y="0"
              width={`${Math.abs(mark.to - mark.from) * 100}%`}
              height="100%"
            />
          )}
          {plot.points.map((point) => (
            <Point key={point.run.id} point={point} isNear={near?.run.id === point.run.id} />
          ))}
        </svg>
        {near && mark === undefined && <Tip point={near} />}
      </div>
      <Times plot={plot} />
    </div>
  );
}

/** Removes a zero after the decimal point. */
const durationWords = (ms: number) => durationText(ms).replace(/\.0 /, " ");

function Point({ point: { run, across, up }, isNear }: { point: PlacedPoint; isNear: boolean }) {
  const { tone } = statusLook(run.status, run.phase, run.waitKinds);
  const [x, y] = [`${across * 100}%`, `${(1 - up) * 100}%`];
  // Failed runs have a shape of their own too, not only a colour.
  if (tone === "failed")
    return (
      <svg x={x} y={y} className={classes.cross} data-near={isNear || undefined} aria-hidden="true">
        <path d="M-4,-4 L4,4 M-4,4 L4,-4" />
      </svg>
    );
  return <circle className={classes.point} data-tone={tone} data-near={isNear || undefined} cx={x} cy={y} r={isNear ? 5 : 3.5} />;
}

function Tip({ point: { run, across, up, durationMs } }: { point: PlacedPoint }) {
  const { word } = statusLook(run.status, run.phase, run.waitKinds);
  return (
    <div
      className={classes.tip}
      style={{ bottom: `${up * 100}%`, ...(across > 0.7 ? { right: `${(1 - across) * 100}%` } : { left: `${across * 100}%` }) }}
    >
      <strong>{run.workflowName}</strong> {run.id.slice(-8)}
      <br />
      {t("runScatter.tip", { word, duration: durationText(durationMs), at: exactTime(run.creationDate) })}
    </div>
  );
}

const formats = {
  minutes: dateFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  hours: dateFormat({ hour: "2-digit", minute: "2-digit" }),
  days: dateFormat({ weekday: "short", hour: "2-digit", minute: "2-digit" }),
  months: dateFormat({ day: "numeric", month: "short" }),
  years: dateFormat({ month: "short", year: "numeric" }),
};
const dayMs = 86_400_000;

function Times({ plot: { fromMs, toMs, times } }: { plot: RunPlot }) {
  const spanMs = toMs - fromMs;
  const format =
    formats[
      spanMs > 300 * dayMs
        ? "years"
        : spanMs > 5 * dayMs
          ? "months"
          : spanMs > dayMs / 2
            ? "days"
            : spanMs > dayMs / 96
              ? "hours"
              : "minutes"
    ];
  return (
    <div className={classes.times}>
      {times.map(({ across, at }) => (
        <span key={across}>{format.format(at)}</span>
      ))}
    </div>
  );
}

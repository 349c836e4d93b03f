/** Parses Chromium's trace of a page: how long its main thread worked between two frames, and on what. */

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Wall time and processor time, in microseconds. */
  dur?: number;
  tdur?: number;
  args?: Record<string, unknown>;
}

export interface MainThreadWork {
  /** Processor time of the main thread from one frame to the next. */
  stepMs: { p50: number; p95: number; longest: number };
  /** The same on average, by purpose. */
  kinds: Record<Kind, number>;
  /** Processor time of the threads that paint without a GPU, per frame. */
  raster: number;
  drawnFrames: number;
  droppedFrames: number;
  /** What took most of the main thread's time, in the browser's own terms. */
  most: [string, number][];
}

type Kind = "script" | "style" | "layout" | "paint" | "other";

const kindsOf: Record<string, Kind> = {
  UpdateLayoutTree: "style",
  RecalculateStyles: "style",
  Layout: "layout",
  PrePaint: "paint",
  Paint: "paint",
  Layerize: "paint",
  Commit: "paint",
  UpdateLayer: "paint",
  CompositeLayers: "paint",
  HitTest: "other",
  FunctionCall: "script",
  EventDispatch: "script",
  FireAnimationFrame: "script",
  TimerFire: "script",
  RunMicrotasks: "script",
  "v8.callFunction": "script",
  V8: "script",
  MinorGC: "script",
  MajorGC: "script",
};

export function readTrace({ traceEvents: all }: { traceEvents: TraceEvent[] }): MainThreadWork {
  const marks = all.filter(({ name }) => name === "movement-begin" || name === "movement-end").sort((one, other) => one.ts - other.ts);
  const [begin, end] = [marks[0], marks.at(-1)];
  if (begin === undefined || end === undefined) throw new Error("the trace does not have the movement");
  const events = all.filter(({ ts }) => ts >= begin.ts && ts <= end.ts);
  const main = events
    .filter(({ pid, tid, ph }) => pid === begin.pid && tid === begin.tid && ph === "X")
    .sort((one, other) => one.ts - other.ts);
  const frames = main.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts);
  const works = selfTimes(main);
  const steps = perFrame(works, frames);
  const kinds: Record<Kind, number> = { script: 0, style: 0, layout: 0, paint: 0, other: 0 };
  for (const { name, own } of works) kinds[kindsOf[name] ?? "other"] += own / 1_000 / frames.length;
  const threads = new Set(
    all
      .filter(({ name, args }) => name === "thread_name" && /Compositor|Raster|ThreadPool|VizComp/.test(String(args?.name)))
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const raster = events.filter((event) => event.name === "RasterTask" && threads.has(`${event.pid} ${event.tid}`));
  return {
    stepMs: { p50: quantile(steps, 0.5), p95: quantile(steps, 0.95), longest: quantile(steps, 1) },
    kinds,
    raster: raster.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000 / frames.length,
    most: mostOf(works, frames.length),
    drawnFrames: events.filter(({ name }) => name === "DrawFrame").length,
    droppedFrames: events.filter(({ name }) => name === "DroppedFrame").length,
  };
}

function mostOf(works: readonly Work[], frames: number): [string, number][] {
  const times = new Map<string, number>();
  for (const { name, own } of works) times.set(name, (times.get(name) ?? 0) + own / 1_000 / frames);
  return [...times].sort((one, other) => other[1] - one[1]).slice(0, 8);
}

interface Work {
  name: string;
  ts: number;
  /** Without the events nested in it. */
  own: number;
}

function selfTimes(events: readonly TraceEvent[]): Work[] {
  const open: { until: number; work: Work }[] = [];
  const works: Work[] = [];
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    while (open.length > 0 && (open.at(-1)?.until ?? 0) <= ts) open.pop();
    const outer = open.at(-1);
    if (outer) outer.work.own -= tdur;
    const work = { name, ts, own: tdur };
    works.push(work);
    open.push({ until: ts + dur, work });
  }
  return works;
}

function perFrame(works: readonly Work[], frames: readonly number[]): number[] {
  const sums = frames.slice(1).map(() => 0);
  let frame = 0;
  for (const { ts, own } of works) {
    while (frame + 1 < frames.length && (frames[frame + 1] ?? 0) <= ts) frame++;
    if (ts >= (frames[0] ?? 0) && frame < sums.length) sums[frame] = (sums[frame] ?? 0) + own / 1_000;
  }
  return sums;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

import { isFinal, type TaskType } from "@millrace/contract/status.ts";
import type { TaskRun, TaskRunAttempt } from "../../api/queries/task/task-catalog.ts";
import { t } from "../../texts/run/run.ts";
import { decimalText } from "../../ui/format.ts";
import { statusLook } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";

/** queue: waiting for a worker; wait: waiting for people, a time, a lock, images, a retry …; run: executing. */
export type BarKind = "queue" | "wait" | "run";

/** A part of a task run's time, in milliseconds since the epoch. */
export interface Bar {
  kind: BarKind;
  from: number;
  to: number;
  /** The label for tooltips and screen readers. */
  label: string;
  /** The status of the attempt. */
  status: string;
}

/** Task types that only wait for people or for something else. */
const waitingTypes: Partial<Record<TaskType, string>> = {
  approval: t("timelineBars.waitApproval"),
  manual: t("timelineBars.waitApproval"),
  eventwait: t("timelineBars.waitEvent"),
  sleep: t("timelineBars.waitSleep"),
  acquirelock: t("timelineBars.waitLock"),
  runworkflow: t("timelineBars.waitRun"),
};
const waitWords = {
  quota: t("timelineBars.waitQuota"),
  scheduling: t("timelineBars.waitScheduling"),
  imagePull: t("timelineBars.waitImagepull"),
  start: t("timelineBars.waitStart"),
} as const;

/** How a task run spent its time. */
export function barsOf(task: TaskRun, nowMs: number): Bar[] {
  const attempts = task.attempts ?? [];
  const bars = attempts.flatMap((attempt, index) => [...pauseBefore(attempts[index - 1], attempt), ...barsOfAttempt(attempt)]);
  if (task.startTime === undefined) return bars;
  const from = new Date(task.startTime).getTime();
  const isRecorded = attempts.some(({ attempt }) => attempt === task.attempt);
  if (isRecorded)
    return task.status === "waiting"
      ? [...bars, { kind: "wait", from: endOf(attempts), to: nowMs, label: t("timelineBars.waitingRetry"), status: "waiting" }]
      : bars;
  const to = isFinal(task.status) ? from + task.duration : nowMs;
  const isWait = waitingTypes[task.type] !== undefined || task.status === "waiting";
  return [
    ...bars,
    {
      kind: isWait ? "wait" : "run",
      from,
      to: Math.max(from, to),
      label: isWait ? (waitingTypes[task.type] ?? t("timelineBars.waiting")) : t("timelineBars.running"),
      status: task.status,
    },
  ];
}

function endOf(attempts: readonly TaskRunAttempt[]): number {
  return Math.max(0, ...attempts.map(({ endTime }) => new Date(endTime).getTime()));
}

function pauseBefore(previous: TaskRunAttempt | undefined, attempt: TaskRunAttempt): Bar[] {
  if (previous === undefined || attempt.startTime === undefined) return [];
  const from = new Date(previous.endTime).getTime();
  const to = new Date(attempt.startTime).getTime() - (attempt.waits?.queue ?? 0);
  return to > from ? [{ kind: "wait", from, to, label: t("timelineBars.delayBeforeRetry"), status: "waiting" }] : [];
}

/** Only attempts can have the status `lost`. */
function attemptWord(status: TaskRunAttempt["status"]): string {
  return status === "lost" ? t("taskAttempts.lost") : statusLook(status).word;
}

function barsOfAttempt({ startTime, endTime, waits = {}, status, attempt }: TaskRunAttempt): Bar[] {
  if (startTime === undefined) return [];
  const begin = new Date(startTime).getTime();
  const end = new Date(endTime).getTime();
  const bars: Bar[] = [];
  if (waits.queue)
    bars.push({ kind: "queue", from: begin - waits.queue, to: begin, label: t("timelineBars.waitingWorker"), status: "ready" });
  let at = begin;
  for (const kind of ["quota", "scheduling", "imagePull", "start"] as const) {
    const ms = waits[kind];
    if (!ms) continue;
    const to = Math.min(end, at + ms);
    bars.push({ kind: "wait", from: at, to, label: t("timelineBars.waitingLabel", { waitWord: waitWords[kind] }), status: "waiting" });
    at = to;
  }
  return [
    ...bars,
    {
      kind: "run",
      from: at,
      to: Math.max(at, end),
      label: t("timelineBars.attempt", { attempt: String(attempt), status: attemptWord(status) }),
      status,
    },
  ];
}

export interface Range {
  from: number;
  to: number;
}

/** From the start of the first bar to the end of the last one, at least a tenth of a second. */
export function rangeOf(tasks: readonly TaskRun[], beginMs: number, nowMs: number): Range {
  let [from, to] = [beginMs, beginMs + 100];
  for (const task of tasks)
    for (const bar of barsOf(task, nowMs)) {
      from = Math.min(from, bar.from);
      to = Math.max(to, bar.to);
    }
  return { from, to };
}

const steps = [1, 2, 5, 10, 15, 30]
  .flatMap((n) => [n * 1_000, n * 60_000])
  .concat(
    [10, 20, 50, 100, 200, 500],
    [1, 2, 3, 6, 12, 24, 48, 168].map((h) => h * 3_600_000),
  );

export interface Tick {
  /** From the begin. */
  ms: number;
  label: string;
}

/** Round distances from the begin for the axis, some `count` of them, each with a label of its own. */
export function ticksOf({ from, to }: Range, count: number): Tick[] {
  const wanted = (to - from) / Math.max(1, count);
  const sorted = [...steps].sort((a, b) => a - b);
  const step = sorted.find((one) => one >= wanted) ?? Math.ceil(wanted / 604_800_000) * 604_800_000;
  const ticks: Tick[] = [];
  for (let ms = 0; ms <= to - from; ms += step) ticks.push({ ms, label: tickText(ms, step) });
  return ticks;
}

/** All units down to that of the step: rounded as a duration is, `1 h 30 s` and `1 h` would be the same. */
function tickText(ms: number, step: number): string {
  if (ms === 0) return "0";
  if (ms < 1_000) return durationText(ms);
  const seconds = (ms % 60_000) / 1_000;
  const digits = step >= 1_000 ? 0 : step >= 100 ? 1 : 2;
  const parts = [
    [Math.floor(ms / 86_400_000), "d"],
    [Math.floor(ms / 3_600_000) % 24, "h"],
    [Math.floor(ms / 60_000) % 60, "min"],
    [seconds === 0 ? 0 : decimalText(seconds, digits), "s"],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(" ");
}

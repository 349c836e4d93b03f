import { type EngineTaskType, failed } from "../core/task/task-type.ts";

/** Waits `duration` milliseconds. The wake time is a row: it outlives any process and holds no thread. */
export const sleep: EngineTaskType = {
  type: "sleep",
  start({ params }) {
    const raw = params.get("duration");
    const durationMs = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
    if (typeof durationMs !== "number" || !Number.isFinite(durationMs) || durationMs < 0 || durationMs > maxSleepMs) {
      return failed(
        "InvalidParameter",
        `Parameter "duration" is ${JSON.stringify(raw ?? null)}; it must be milliseconds from 0 to ${maxSleepMs}`,
      );
    }
    if (durationMs === 0) return { kind: "finished", status: "succeeded" };
    return { kind: "waiting", wait: { kind: "sleep", detail: `Sleeps for ${durationMs} ms` }, lookInMs: Math.ceil(durationMs) };
  },
  wake(_context, event) {
    return event.kind === "due" ? { kind: "finished", status: "succeeded" } : undefined;
  },
};

/** Ten years: a longer sleep is a mistake of units. */
const maxSleepMs = 10 * 365 * 24 * 3600 * 1000;

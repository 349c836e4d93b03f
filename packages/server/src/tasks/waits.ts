import { maxTopicLength } from "@millrace/contract/run/task-run.ts";
import { type EngineTaskType, type Finished, failed, textParam } from "../core/task/task-type.ts";

/** Waits for a callback on `topic`. One that arrived before the wait counts, too; the newest is used. */
export const eventWait: EngineTaskType = {
  type: "eventwait",
  start({ params, ask }) {
    const topic = textParam(params, "topic");
    if (!topic) return failed("MissingParameter", 'Parameter "topic" is missing; it names the event to wait for');
    if (topic.length > maxTopicLength)
      return failed("InvalidParameter", `Parameter "topic" has ${topic.length} characters; at most ${maxTopicLength} are allowed`);
    const early = ask.event(topic);
    if (early) return endWith(early, topic);
    return { kind: "waiting", wait: { kind: "event", key: topic, detail: `Waiting for an event on topic "${topic}"` } };
  },
  wake({ task }, event) {
    return event.kind === "event" ? endWith(event, task.waitKey ?? "") : undefined;
  },
};

function endWith(event: { status: "succeeded" | "failed"; payload: unknown }, topic: string): Finished {
  const results = event.payload === undefined || event.payload === null ? [] : [{ name: "data", value: event.payload }];
  if (event.status === "succeeded") return { kind: "finished", status: "succeeded", results };
  return {
    kind: "finished",
    status: "failed",
    reason: "EventFailed",
    message: `The event on topic "${topic}" reported a failure`,
    results,
  };
}

/** Waits `duration` milliseconds. The wake time is a row: it survives any process and blocks no thread. */
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
    return { kind: "waiting", wait: { kind: "sleep", detail: `Sleeps for ${durationMs} ms` }, pollInMs: Math.ceil(durationMs) };
  },
  wake(_context, event) {
    return event.kind === "due" ? { kind: "finished", status: "succeeded" } : undefined;
  },
};

/** Ten years: a longer sleep is a mistake of units. */
const maxSleepMs = 10 * 365 * 24 * 3600 * 1000;

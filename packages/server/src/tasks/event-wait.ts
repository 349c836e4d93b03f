import { maxTopicLength } from "@millrace/contract/task-run.ts";
import { type EngineTaskType, type Finished, failed, textParam } from "../core/task/task-type.ts";

/** Waits for a callback on `topic`. One that came before the wait counts too, the newest first. */
export const eventWait: EngineTaskType = {
  type: "eventwait",
  start({ params, ask }) {
    const topic = textParam(params, "topic");
    if (!topic) return failed("MissingParameter", 'Parameter "topic" is missing; it names the event to wait for');
    if (topic.length > maxTopicLength)
      return failed("InvalidParameter", `Parameter "topic" has ${topic.length} characters; at most ${maxTopicLength} are possible`);
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

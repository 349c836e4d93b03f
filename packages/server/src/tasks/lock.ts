import { type EngineTaskType, failed, type Outcome, type TypeContext, textParam } from "../core/task/task-type.ts";

/**
 * Named locks of a team, held by a run until it releases them or ends. `timeout` is the longest wait in seconds. A waiter is a row: it gets
 * a signal when the lock becomes free, and checks every few seconds in case that was missed.
 */

const lookEveryMs = 5000;
const defaultTimeoutSeconds = 300;
const maxKeyLength = 500;

export const acquireLock: EngineTaskType = {
  type: "acquirelock",
  start(context) {
    const key = textParam(context.params, "key");
    if (!key) return failed("MissingParameter", 'Parameter "key" is missing; it names the lock');
    if (key.length > maxKeyLength)
      return failed("InvalidParameter", `Parameter "key" has ${key.length} characters; at most ${maxKeyLength} are allowed`);
    if (timeoutMs(context) === undefined)
      return failed("InvalidParameter", 'Parameter "timeout" must be a number of seconds from 0 to 604800');
    return tryLock(context, key);
  },
  wake(context, event) {
    if (event.kind !== "due" && event.kind !== "lock") return undefined;
    return tryLock(context, context.task.waitKey ?? "");
  },
};

export const releaseLock: EngineTaskType = {
  type: "releaselock",
  start({ params }) {
    const key = textParam(params, "key");
    if (!key) return failed("MissingParameter", 'Parameter "key" is missing; it names the lock');
    return { kind: "finished", status: "succeeded", releaseLocks: [key] };
  },
};

function tryLock(context: TypeContext, key: string): Outcome {
  const answer = context.ask.lock(key);
  if (answer.held) return { kind: "finished", status: "succeeded" };
  const limitMs = timeoutMs(context) ?? 0;
  const leftMs = (context.task.startedAt ?? context.now) + limitMs - context.now;
  if (leftMs <= 0) return failed("LockTimeout", `Lock "${key}" was not free within ${limitMs / 1000} s; it is held by ${answer.holder}`);
  return {
    kind: "waiting",
    wait: { kind: "lock", key, detail: `Lock "${key}" is held by ${answer.holder}` },
    pollInMs: Math.min(lookEveryMs, leftMs),
  };
}

function timeoutMs({ params }: TypeContext): number | undefined {
  const seconds = Number(textParam(params, "timeout") ?? defaultTimeoutSeconds);
  return Number.isFinite(seconds) && seconds >= 0 && seconds <= 604_800 ? seconds * 1000 : undefined;
}

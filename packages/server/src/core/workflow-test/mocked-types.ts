import { type EngineTaskType, type Finished, type Outcome, type TaskTypes, type TypeContext, textParam } from "../task/task-type.ts";
import { type EndOfAttempt, type MockedEnds, needsMock } from "./mocked-ends.ts";

/** The engine's own task types, except that a task with a mock ends as its mock says, after a sleep for as long as the mock takes. */
export function mockedTypes(types: TaskTypes, mocks: MockedEnds): TaskTypes {
  return new Map([...types].map(([name, type]) => [name, withMocks(type, mocks)]));
}

function withMocks(type: EngineTaskType, mocks: MockedEnds): EngineTaskType {
  return {
    type: type.type,
    start(context) {
      const { task } = context;
      if (mocks.isMocked(task) || (!mocks.isPlayed(task) && needsMock(task, waitsForChild(context)))) return begin(mocks.endOf(task));
      return type.start(context);
    },
    wake: (context, event) => (mocks.isMocked(context.task) ? wakeMocked(mocks, context, event.kind) : type.wake?.(context, event)),
  };
}

function waitsForChild({ params, node }: TypeContext): boolean {
  return node.nested !== undefined || textParam(params, "wait")?.toLowerCase() === "true";
}

function begin(end: EndOfAttempt): Outcome {
  if (end.durationMs === 0 && end.status !== "timedout") return finished(end);
  const wait = { kind: "sleep" as const, detail: "Mocked by the test" };
  return end.status === "timedout"
    ? { kind: "waiting", wait, deadlineInMs: end.durationMs }
    : { kind: "waiting", wait, pollInMs: end.durationMs };
}

function wakeMocked(mocks: MockedEnds, { task }: TypeContext, kind: string) {
  return kind === "due" ? finished(mocks.endOf(task)) : undefined;
}

/** No worker runs such a task, so its end can't be `lost`. */
function finished({ status, reason, message, results, decision }: EndOfAttempt): Finished {
  return {
    kind: "finished",
    status: status === "succeeded" || status === "invalid" ? status : "failed",
    reason,
    message,
    results,
    ...(decision !== undefined && { decisionValue: decision }),
  };
}

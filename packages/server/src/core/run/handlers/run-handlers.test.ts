import { expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../../test/kit/run-simulator.ts";
import type { DocumentNode } from "../../workflow/plan.ts";

const handler = (name: string, kind: "finally" | "onFailure", after: string[] = [], more: Partial<DocumentNode> = {}) =>
  node(name, "script", after, { handler: kind, ...more });
const undo = (name: string, more: Partial<DocumentNode> = {}) => node(name, "script", [], more);
const minute = 60_000;

/** No links lead to or from handlers. */
function flow(...nodes: DocumentNode[]): RunSimulator {
  const undoing = new Set(nodes.map(({ compensatedBy }) => compensatedBy));
  const isHandler = ({ name, handler: kind }: DocumentNode) => kind !== undefined || undoing.has(name);
  const all = [...workflow(...nodes.filter((one) => !isHandler(one))), ...nodes.filter(isHandler)];
  return new RunSimulator(all).start();
}

test("finally runs after everything else, whatever happened, and the run is not over before it is", () => {
  const run = flow(node("a", "script"), handler("clean", "finally"), handler("after", "finally", ["clean"]), handler("alarm", "onFailure"));
  expect(run.statuses()).toEqual({ a: "ready", clean: "notstarted", after: "notstarted", alarm: "notstarted" });
  run.end("a");
  expect(run.statuses()).toEqual({ a: "succeeded", clean: "ready", after: "notstarted", alarm: "skipped" });
  run.end("clean");
  expect(run.state.status).toBe("running");
  run.end("after");
  expect(run.state).toMatchObject({ status: "succeeded", reason: null, statusMessage: null });
});

test("onFailure runs before finally when the flow failed, and the failure stays that of the run", () => {
  const run = flow(node("a", "script"), handler("clean", "finally"), handler("alarm", "onFailure"));
  run.end("a", "failed");
  expect(run.statuses()).toEqual({ a: "failed", clean: "notstarted", alarm: "ready" });
  expect(run.state).toMatchObject({ status: "running", reason: "TaskFailed" });
  run.end("alarm").end("clean");
  expect(run.state).toMatchObject({ status: "failed", reason: "TaskFailed", statusMessage: 'Task "a" ended as failed: failed' });
});

test("a handler that fails makes a run fail that had succeeded", () => {
  const run = flow(node("a", "script"), handler("clean", "finally"));
  run.end("a").end("clean", "failed");
  expect(run.state).toMatchObject({ status: "failed", reason: "HandlerFailed", statusMessage: 'Task "clean" ended as failed: failed' });
});

test("a failure that another handler handles does not", () => {
  const care = node("care", "script", [{ from: "clean", on: "failure" }], { handler: "finally" });
  const run = flow(node("a", "script"), handler("clean", "finally"), care);
  run.end("a").end("clean", "failed").end("care");
  expect(run.state.status).toBe("succeeded");
});

test("a run that is cancelled stops its flow, and runs finally; cancelled again, it stops that too", () => {
  const run = flow(node("a", "script"), node("b", "script", ["a"]), handler("clean", "finally"), handler("alarm", "onFailure"));
  run.claim("a");
  run.send({ kind: "cancel", message: "Cancelled by ann" });
  expect(run.statuses()).toEqual({ a: "cancelled", b: "skipped", clean: "ready", alarm: "skipped" });
  expect(run.state).toMatchObject({ status: "running", reason: "Cancelled", statusMessage: "Cancelled by ann" });
  run.claim("clean");
  run.send({ kind: "cancel", message: "Cancelled by bob" });
  expect(run.statuses()).toMatchObject({ clean: "cancelled" });
  expect(run.state).toMatchObject({ status: "cancelled", reason: "Cancelled" });
});

test("a superseded run is undone, and its handlers have their time despite further runs", () => {
  const run = flow(
    node("pay", "script", ["start"], { compensatedBy: "refund" }),
    node("b", "script", ["pay"]),
    undo("refund"),
    handler("clean", "finally"),
  );
  run.end("pay").claim("b");
  const superseded = { kind: "cancel", reason: "Superseded", message: "for a newer run", sparesHandlers: true } as const;
  run.send(superseded).send(superseded);
  expect(run.state).toMatchObject({ status: "running", reason: "Superseded" });
  expect(run.statuses()).toEqual({ pay: "succeeded", b: "cancelled", refund: "ready", clean: "notstarted" });
  run.end("refund").send(superseded).end("clean");
  expect(run.state).toMatchObject({ status: "cancelled", reason: "Superseded", statusMessage: "for a newer run" });
});

test("a run that succeeded is not superseded while its handlers run", () => {
  const run = flow(node("a", "script"), handler("clean", "finally"));
  run.end("a").send({ kind: "cancel", reason: "Superseded", message: "for a newer run", sparesHandlers: true });
  expect(run.statuses()).toEqual({ a: "succeeded", clean: "ready" });
  run.end("clean");
  expect(run.state).toMatchObject({ status: "succeeded", reason: null });
});

test("a run that succeeded is cancelled when its handlers are", () => {
  const run = flow(node("a", "script"), handler("clean", "finally"), handler("after", "finally", ["clean"]));
  run.end("a").send({ kind: "cancel", message: "Cancelled by bob" });
  expect(run.statuses()).toMatchObject({ clean: "cancelled", after: "skipped" });
  expect(run.state.status).toBe("cancelled");
});

test("each kind of handlers has its own time limit, independent of the run's", () => {
  const run = flow(node("a", "script"), handler("alarm", "onFailure"), handler("clean", "finally"));
  run.state = { ...run.state, timeoutMinutes: 1 };
  run.claim("a");
  run.now += minute;
  run.send({ kind: "look" });
  expect(run.state).toMatchObject({ status: "running", reason: "DeadlineExceeded", dueAt: run.now + 60 * minute });
  run.claim("alarm");
  run.now += 60 * minute;
  run.send({ kind: "look" });
  expect(run.statuses()).toEqual({ a: "cancelled", alarm: "cancelled", clean: "ready" });
  expect(run.state.dueAt).toBe(run.now + 60 * minute);
  run.end("clean");
  expect(run.state).toMatchObject({ status: "timedout", reason: "DeadlineExceeded" });
});

test("what had succeeded is undone backwards in the order of its ends, before finally", () => {
  const run = flow(
    node("pay", "script", ["start"], { compensatedBy: "refund" }),
    node("book", "script", ["start"], { compensatedBy: "unbook" }),
    node("send", "script", ["pay", "book"], { compensatedBy: "recall" }),
    undo("refund", { params: [{ name: "id", value: "$(tasks.pay.results.id)" }] }),
    undo("unbook"),
    undo("recall"),
    handler("clean", "finally"),
  );
  run.end("book");
  run.now += 1;
  run.end("pay", "succeeded", [{ name: "id", value: "7" }]);
  run.end("send", "failed");
  expect(run.statuses()).toMatchObject({ recall: "skipped", refund: "ready", unbook: "notstarted", clean: "notstarted" });
  expect(run.task("refund").params).toEqual([{ name: "id", value: "7" }]);
  run.end("refund");
  expect(run.statuses()).toMatchObject({ unbook: "ready", clean: "notstarted" });
  run.end("unbook");
  expect(run.statuses()).toMatchObject({ clean: "ready" });
  run.end("clean");
  expect(run.state).toMatchObject({ status: "failed", reason: "TaskFailed", statusMessage: 'Task "send" ended as failed: failed' });
});

test("a chain that ended at one moment is undone from its end", () => {
  const set = (name: string, after: string, by: string) =>
    node(name, "setwfproperty", [after], {
      compensatedBy: by,
      params: [
        { name: "output", value: name },
        { name: "value", value: "1" },
      ],
    });
  const run = flow(set("b", "a", "undo b"), set("a", "start", "undo a"), node("c", "script", ["b"]), undo("undo a"), undo("undo b"));
  run.end("c", "failed");
  expect(run.statuses()).toMatchObject({ "undo a": "notstarted", "undo b": "ready" });
});

test("nothing is undone when the run succeeds", () => {
  const run = flow(node("a", "script", ["start"], { compensatedBy: "undo" }), undo("undo"));
  run.end("a");
  expect(run.statuses()).toEqual({ a: "succeeded", undo: "skipped" });
  expect(run.state.status).toBe("succeeded");
});

test("a compensation has its own retries; what is not undone is named, and the others are still undone", () => {
  const run = flow(
    node("a", "script", ["start"], { compensatedBy: "undo a" }),
    node("b", "script", ["a"], { compensatedBy: "undo b" }),
    node("c", "script", ["b"]),
    undo("undo a"),
    undo("undo b", { retry: { count: 1, backoffMs: 1 } }),
  );
  run.end("a");
  run.now += 1;
  run.end("b").end("c", "failed").end("undo b", "failed");
  expect(run.task("undo b").waitKind).toBe("retry");
  run.now += 1000;
  run.send({ kind: "look" }).end("undo b", "failed");
  expect(run.statuses()).toMatchObject({ "undo a": "ready" });
  run.end("undo a");
  expect(run.state).toMatchObject({ status: "failed", statusMessage: 'Task "c" ended as failed: failed. Not undone: "b"' });
});

test("a cancelled run is undone too, and a list of which one item is done", () => {
  const items = node("each", "script", ["start"], { compensatedBy: "undo", forEach: { items: [1, 2], parallel: 1 } });
  const run = flow(items, undo("undo"));
  run.end("each[0]").claim("each[1]");
  run.send({ kind: "cancel", message: "Cancelled by ann" });
  expect(run.task("undo").status).toBe("ready");
  run.end("undo");
  expect(run.state).toMatchObject({ status: "cancelled", statusMessage: "Cancelled by ann" });
});

test("handlers see how the run and its tasks ended", () => {
  const value = "$(run.status) $(run.reason) $(run.tasks.a.status) $(run.notUndone)";
  const run = flow(
    node("a", "script", ["start"], { compensatedBy: "undo" }),
    node("b", "script", ["a"]),
    undo("undo"),
    handler("clean", "finally", [], {
      params: [
        { name: "text", value },
        { name: "message", value: "$(run.message)" },
      ],
    }),
  );
  run.end("a").end("b", "failed").end("undo", "failed");
  expect(run.task("clean").params).toEqual([
    { name: "text", value: 'failed TaskFailed succeeded ["a"]' },
    { name: "message", value: 'Task "b" ended as failed: failed' },
  ]);
});

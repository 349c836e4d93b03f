import { describe, expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../test/kit/run-simulator.ts";
import type { DocumentNode, ExecutionCondition } from "../workflow/plan.ts";
import type { RunEvent } from "./advance.ts";
import { mayBeginItems } from "./items/for-each.ts";
import type { ItemList } from "./items/item-list.ts";
import type { TaskState } from "./run-state.ts";

const value = (text: string) => ({ params: [{ name: "value", value: text }] });
const setResult = (output: string, text: unknown) => ({
  params: [
    { name: "output", value: output },
    { name: "value", value: text },
  ],
});

describe("a chain of the engine's own tasks", () => {
  test("completes in the call that starts it", () => {
    const run = new RunSimulator(
      workflow(
        node("a", "decision", ["start"], value("x")),
        node("b", "setwfproperty", ["a"], setResult("city", "Oslo")),
        node("c", "setwfstatus", ["b"], { params: [{ name: "status", value: "completed" }] }),
      ),
    ).start();
    expect(run.state.status).toBe("succeeded");
    expect(run.state.results).toEqual([{ name: "city", value: "Oslo" }]);
  });

  test("of start and end alone succeeds", () => {
    expect(new RunSimulator(workflow()).start().state.status).toBe("succeeded");
  });
});

describe("an edge decides by its condition", () => {
  const graph = () =>
    new RunSimulator(
      workflow(
        node("a", "script"),
        node("onSuccess", "script", [{ from: "a", on: "success" }]),
        node("onFailure", "script", [{ from: "a", on: "failure" }]),
        node("always", "script", ["a"]),
      ),
    ).start();

  test.each([
    ["succeeded", { onSuccess: "ready", onFailure: "skipped", always: "ready" }],
    ["failed", { onSuccess: "skipped", onFailure: "ready", always: "ready" }],
    ["timedout", { onSuccess: "skipped", onFailure: "ready", always: "ready" }],
    ["invalid", { onSuccess: "skipped", onFailure: "ready", always: "ready" }],
  ] as const)("after %s", (status, expected) => {
    expect(graph().end("a", status).statuses()).toEqual({ a: status, ...expected });
  });
});

describe("a switch whose patterns were not tried on its value", () => {
  const nodes = (value: string, when: string) => [
    node("choose", "decision", ["start"], { params: [{ name: "value", value }] }),
    node("matched", "script", [{ from: "choose", when }]),
    node("default", "script", ["choose"]),
  ];

  test("adds a warning to its task run and counts it for the run, once", () => {
    const run = new RunSimulator(workflow(...nodes("a".repeat(20_000), "a+\na*"))).start();
    expect(run.task("choose")).toMatchObject({
      status: "succeeded",
      warnings: [
        { code: "PATTERN_NOT_TRIED", reference: "value", why: expect.stringContaining("has 20000 characters") },
        { code: "PATTERN_NOT_TRIED", reference: "value" },
      ],
    });
    expect(run.task("default").status).toBe("ready");
    expect(run.state.warningCount).toBe(2);
    run.end("default");
    expect([run.state.status, run.state.warningCount]).toEqual(["succeeded", 2]);
  });

  test("reports patterns beyond the work limit, and nothing if all were tried", () => {
    const costly = Array.from({ length: 400 }, (_, index) => `(a|b)*a(a|b){90}${index}`).join("\n");
    const beyond = new RunSimulator(workflow(...nodes("ab".repeat(8000), costly))).start();
    expect(beyond.task("choose").warnings).toMatchObject([{ code: "PATTERN_NOT_TRIED", why: expect.stringContaining("too costly") }]);
    const tried = new RunSimulator(workflow(...nodes("aaa", "a+"))).start();
    expect([tried.task("choose").warnings, tried.state.warningCount]).toEqual([[], 0]);
  });
});

describe("a switch whose value ends with a line end", () => {
  const nodes = (value: string, ...whens: string[]) =>
    workflow(
      node("choose", "decision", ["start"], { params: [{ name: "value", value }] }),
      ...whens.map((when, index) => node(`matched${index}`, "script", [{ from: "choose", when }])),
      node("default", "script", ["choose"]),
    );

  test("takes the default link as before, and says why in a warning", () => {
    const run = new RunSimulator(nodes("gold\n", "silver\ngold", "tin")).start();
    expect(run.task("choose").warnings).toEqual([
      { code: "LINE_END_IN_VALUE", reference: "value", why: expect.stringContaining("write the result with printf") },
    ]);
    expect(run.statuses()).toMatchObject({ matched0: "skipped", matched1: "skipped", default: "ready" });
    expect(run.state.warningCount).toBe(1);
  });

  test.each([
    ["where a condition matches", "gold\n", ["gold", "gold\\s"]],
    ["where no condition would match without it", "gold\n", ["silver"]],
    ["of a second one, which is no slip", "gold\n\n", ["gold"]],
    ["of a value without one", "gold", ["silver"]],
  ])("has no warning %s", (_case, value, whens) => {
    expect(new RunSimulator(nodes(value, ...whens)).start().task("choose").warnings).toEqual([]);
  });
});

describe("costly patterns of many switches", () => {
  const costly = "(?:[ab]?){90}".repeat(5);
  const values = { params: [{ name: "value", value: "a".repeat(16_000) }] };
  const numbers = Array.from({ length: 60 }, (_, index) => index);

  test("end the run instead of keeping the service busy, and no link is chosen by mistake", () => {
    const nodes = numbers.flatMap((index) => [
      node(`switch${index}`, "decision", ["start"], values),
      node(`costly${index}`, "script", [{ from: `switch${index}`, when: `${costly}x` }]),
      node(`default${index}`, "script", [`switch${index}`]),
    ]);
    const run = new RunSimulator(workflow(...nodes)).start();
    expect(run.task("default0").status).toBe("ready");
    expect(run.task("default59")).toMatchObject({ status: "invalid", reason: "PatternsTooCostly" });
    expect(run.task("costly59").status).toBe("invalid");
  });

  test("are tried once, however often an advance has to start over", () => {
    const nodes = numbers.slice(0, 4).flatMap((index) => [
      node(`switch${index}`, "decision", ["start"], values),
      node(`costly${index}`, "script", [{ from: `switch${index}`, when: `${costly}x` }]),
      // Each of them asks whether its topic was already called back, and each such question starts the advance over.
      ...numbers
        .slice(0, 20)
        .map((wait) =>
          node(`wait${index}-${wait}`, "eventwait", [`switch${index}`], { params: [{ name: "topic", value: `${index}-${wait}` }] }),
        ),
    ]);
    const run = new RunSimulator(workflow(...nodes)).start();
    expect([run.task("wait3-19").status, run.task("costly3").status]).toEqual(["waiting", "skipped"]);
  });
});

describe("skipping", () => {
  test("cascades, and a node below skipped nodes only is skipped although its edges are always", () => {
    const run = new RunSimulator(
      workflow(
        node("a", "script"),
        node("b", "script", [{ from: "a", on: "failure" }]),
        node("c", "script", ["b"]),
        node("d", "script", ["c"]),
      ),
    );
    run.start().end("a");
    expect(run.statuses()).toEqual({ a: "succeeded", b: "skipped", c: "skipped", d: "skipped" });
    expect(run.state.status).toBe("succeeded");
  });

  test("does not stop a join that also has an edge from a node that ran", () => {
    const run = new RunSimulator(
      workflow(node("a", "script"), node("b", "script", [{ from: "a", on: "failure" }]), node("join", "script", ["a", "b"])),
    );
    expect(run.start().end("a").task("join").status).toBe("ready");
  });

  test("says why in words", () => {
    const run = new RunSimulator(workflow(node("a", "script"), node("b", "script", [{ from: "a", on: "failure" }])));
    expect(run.start().end("a").task("b").statusMessage).toBe('Task "a" ended as succeeded, and the link from it requires failure');
  });
});

describe("a switch", () => {
  const graph = (text: string) =>
    new RunSimulator(
      workflow(
        node("s", "decision", ["start"], value(text)),
        node("x", "script", [{ from: "s", when: "red\ngr.*" }]),
        node("y", "script", [{ from: "s", when: "blue" }]),
        node("other", "script", [{ from: "s" }]),
      ),
    ).start();

  test.each([
    ["red", { x: "ready", y: "skipped", other: "skipped" }],
    ["green", { x: "ready", y: "skipped", other: "skipped" }],
    ["bluegreen", { x: "skipped", y: "skipped", other: "ready" }],
    ["", { x: "skipped", y: "skipped", other: "ready" }],
  ])("with value %j", (text, expected) => {
    expect(graph(text).statuses()).toEqual({ s: "succeeded", ...expected });
  });

  test("without a value fails, and so does the run", () => {
    const run = new RunSimulator(
      workflow(node("s", "decision"), node("x", "setwfproperty", [{ from: "s", when: "a" }], setResult("a", 1))),
    ).start();
    expect(run.state.status).toBe("failed");
    expect(run.state.statusMessage).toContain('Parameter "value" is missing');
  });
});

describe("the status of a run", () => {
  test("failed, when a task failed and only an always edge followed", () => {
    const run = new RunSimulator(workflow(node("a", "script"), node("b", "script", ["a"]))).start().end("a", "failed").end("b");
    expect(run.state.status).toBe("failed");
  });

  test("succeeded, when a failure edge led to a task that ran", () => {
    const run = new RunSimulator(workflow(node("a", "script"), node("b", "script", [{ from: "a", on: "failure" }])))
      .start()
      .end("a", "failed")
      .end("b");
    expect(run.state.status).toBe("succeeded");
  });

  test("waits for every branch, not only for the neighbours of end", () => {
    const run = new RunSimulator([
      { name: "start", type: "start" },
      node("a", "script"),
      node("b", "script"),
      node("end", "end", ["a", "b"]),
    ])
      .start()
      .end("a");
    expect(run.state.status).toBe("running");
    expect(run.end("b").state.status).toBe("succeeded");
  });

  test("is the override of a set-status task", () => {
    const run = new RunSimulator(workflow(node("a", "setwfstatus", ["start"], { params: [{ name: "status", value: "failure" }] }))).start();
    expect(run.state.status).toBe("failed");
  });
});

describe("a retry policy", () => {
  const retry = { retry: { count: 2, backoffMs: 1000 } };

  test("tries again as a new attempt of the same task run after its pause, and keeps each attempt's record", () => {
    const run = new RunSimulator(workflow(node("a", "script", ["start"], retry))).start().end("a", "failed");
    expect(run.task("a")).toMatchObject({ status: "waiting", waitKind: "retry", retriesUsed: 1 });
    expect(run.lastChange?.attempts).toMatchObject([{ attempt: 1, status: "failed" }]);
    run.now = run.task("a").dueAt as number;
    run.send({ kind: "look" });
    expect(run.task("a").status).toBe("ready");
    expect(run.end("a").state.status).toBe("succeeded");
    expect(run.task("a").attempt).toBe(2);
  });

  test("ends with the last failure when it is used up", () => {
    const run = new RunSimulator(workflow(node("a", "script", ["start"], { retry: { count: 1, backoffMs: 0 } })))
      .start()
      .end("a", "failed")
      .send({ kind: "look" })
      .end("a", "failed");
    expect(run.state.status).toBe("failed");
  });
});

describe("a task run that becomes ready", () => {
  test("says what it needs, and one that nothing can run ends at once with the reason", () => {
    const run = new RunSimulator(
      workflow(
        node("plain", "script"),
        node("odd", "script", ["start"], { annotations: { "millrace.dev/executor": "vm" } }),
        node("far", "script", ["start"], { annotations: { "millrace.dev/executor": "kubernetes" } }),
      ),
      { defaultImage: "debian:13" },
    ).start();
    expect(run.task("plain")).toMatchObject({ status: "ready", executor: "image" });
    expect(run.task("far")).toMatchObject({ status: "ready", executor: "kubernetes" });
    const invalid = { status: "invalid", reason: "InvalidTask", executor: null, attempt: 0, startedAt: run.now, endedAt: run.now };
    expect(run.task("odd")).toMatchObject({ ...invalid, statusMessage: expect.stringContaining('executor is "vm"') });
  });

  test("its attempts say for how long it waited for a worker", () => {
    const run = new RunSimulator(workflow(node("a", "script"))).start();
    run.now += 1234;
    const { id, attempt } = run.claim("a");
    run.now += 1000;
    const place = { node: "n1", unit: "pod-1", images: [{ step: "a", image: "b", digest: "sha256:c" }] };
    const more = { executor: "kubernetes" as const, place, waits: { imagePullMs: 12.4, startMs: 3 } };
    const outcome = { status: "succeeded" as const, reason: "Succeeded", message: "", results: [], ...more };
    run.send({ kind: "ended", taskRunId: id, attempt, outcome });
    expect(run.lastChange?.attempts).toMatchObject([
      { executor: "kubernetes", place, waits: { queueMs: 1234, imagePullMs: 12, startMs: 3 } },
    ]);
  });
});

describe("a lost attempt", () => {
  test("is repeated without using a retry, at most five times in a row", () => {
    const run = new RunSimulator(workflow(node("a", "script"))).start();
    for (let loss = 1; loss <= 5; loss++) {
      const { id, attempt } = run.claim("a");
      run.send({ kind: "lost", taskRunId: id, attempt });
      expect(run.task("a").status).toBe(loss < 5 ? "ready" : "failed");
    }
  });

  test("that a worker released at its shutdown is not one of the five", () => {
    const run = new RunSimulator(workflow(node("a", "script"))).start();
    const lose = (isReleased: boolean) => {
      const { id, attempt } = run.claim("a");
      run.send({ kind: "lost", taskRunId: id, attempt, loss: { isReleased, executor: "kubernetes", host: "one" } });
      return run.task("a");
    };
    for (let n = 1; n <= 12; n++) expect(lose(true)).toMatchObject({ status: "ready", losses: n, releasedLosses: n });
    expect(run.lastChange?.attempts).toMatchObject([{ attempt: 12, status: "lost", executor: "kubernetes", host: "one" }]);
    for (let n = 1; n <= 4; n++) expect(lose(false)).toMatchObject({ status: "ready", losses: 12 + n, releasedLosses: 12 });
    expect(lose(true)).toMatchObject({ status: "ready", losses: 17 });
    expect(lose(false)).toMatchObject({ status: "failed", statusMessage: expect.stringContaining("loss 5 in a row") });
  });

  test("counts only until the next retry", () => {
    const retry = { retry: { count: 1, backoffMs: 0, factor: 1, maxBackoffMs: 0, on: ["failed" as const] } };
    const run = new RunSimulator(workflow(node("a", "script", ["start"], retry))).start();
    const { id, attempt } = run.claim("a");
    run.send({ kind: "lost", taskRunId: id, attempt });
    expect(run.claim("a")).toMatchObject({ attempt: 2, losses: 1 });
    run.end("a", "failed");
    run.now += 1000;
    run.send({ kind: "look" });
    expect(run.task("a")).toMatchObject({ status: "ready", attempt: 2, losses: 0 });
  });

  const fault = { reason: "MachineFault", message: "the disk of the worker is full" };

  test("by a fault of the machine says so and uses no retry, but is one of the five", () => {
    const run = new RunSimulator(workflow(node("a", "script"))).start();
    const lose = () => {
      const { id, attempt } = run.claim("a");
      return run.send({ kind: "lost", taskRunId: id, attempt, loss: { fault, executor: "process" } }).task("a");
    };
    expect(lose()).toMatchObject({
      ...{ status: "ready", reason: "MachineFault", retriesUsed: 0, losses: 1 },
      statusMessage: "the disk of the worker is full; retrying",
    });
    expect(run.lastChange?.attempts).toMatchObject([{ status: "lost", reason: "MachineFault", statusMessage: fault.message }]);
    for (let loss = 2; loss <= 4; loss++) expect(lose().status).toBe("ready");
    expect(lose()).toMatchObject({
      ...{ status: "failed", reason: "MachineFault" },
      statusMessage: "the disk of the worker is full; loss 5 in a row",
    });
  });

  test("that had not started is repeated despite onLost: fail; one that may have started is not", () => {
    const run = new RunSimulator(workflow(node("a", "script", ["start"], { onLost: "fail" }))).start();
    const lose = (isNotStarted: boolean) => {
      const { id, attempt } = run.claim("a");
      return run.send({ kind: "lost", taskRunId: id, attempt, loss: { fault, isNotStarted } }).task("a");
    };
    expect(lose(true)).toMatchObject({ status: "ready" });
    expect(lose(false)).toMatchObject({ status: "failed", reason: "MachineFault" });
  });

  test("is not repeated with onLost: fail", () => {
    const run = new RunSimulator(workflow(node("a", "script", ["start"], { onLost: "fail" }))).start();
    const { id, attempt } = run.claim("a");
    expect(run.send({ kind: "lost", taskRunId: id, attempt }).task("a")).toMatchObject({ status: "failed", reason: "WorkerLost" });
  });
});

test("a stale attempt cannot end a task run that another attempt holds", () => {
  const run = new RunSimulator(workflow(node("a", "script"))).start();
  const first = run.claim("a");
  run.send({ kind: "lost", taskRunId: first.id, attempt: 1 });
  run.claim("a");
  run.send({ kind: "ended", taskRunId: first.id, attempt: 1, outcome: { status: "failed", reason: "ExitCode", message: "", results: [] } });
  expect(run.task("a")).toMatchObject({ status: "running", attempt: 2 });
});

test("a repeated end changes nothing", () => {
  const run = new RunSimulator(workflow(node("a", "script"), node("b", "script", ["a"]))).start();
  const { id } = run.claim("a");
  const event: RunEvent = {
    kind: "ended",
    taskRunId: id,
    attempt: 1,
    outcome: { status: "succeeded", reason: "Succeeded", message: "", results: [] },
  };
  const after = run.send(event).state;
  run.send(event);
  expect(run.lastChange?.updated).toEqual([]);
  expect(run.state.nodes).toEqual(after.nodes);
});

describe("forEach", () => {
  const items = (parallel: number) => ({ forEach: { items: ["a", "b", "c"], parallel } });

  test("keeps at most `parallel` items under way and lists their results in item order", () => {
    const run = new RunSimulator(workflow(node("each", "script", ["start"], items(2)))).start();
    const under = () => ["each[0]", "each[1]", "each[2]"].map((name) => run.task(name).status);
    expect(under()).toEqual(["ready", "ready", "notstarted"]);
    run.end("each[1]", "succeeded", [{ name: "n", value: 2 }]);
    expect(under()).toEqual(["ready", "succeeded", "ready"]);
    run.end("each[2]", "succeeded", [{ name: "n", value: 3 }]).end("each[0]");
    expect(run.task("each").results).toEqual([{ name: "n", value: [null, 2, 3] }]);
    expect(run.state.status).toBe("succeeded");
  });

  test("fails when an item failed, after all items are over", () => {
    const run = new RunSimulator(workflow(node("each", "script", ["start"], items(3))))
      .start()
      .end("each[0]", "failed")
      .end("each[1]")
      .end("each[2]");
    expect(run.task("each")).toMatchObject({ status: "failed", reason: "ItemFailed" });
  });

  test.each([1, 500, 501, 1_234])("begins %i items of the engine's own in changes of at most 500", (length) => {
    const list = Array.from({ length }, (_, index) => index);
    const more = {
      forEach: { items: list, parallel: 10 },
      params: [
        { name: "output", value: "r" },
        { name: "value", value: "$(params.item)" },
      ],
    };
    const run = new RunSimulator(workflow(node("each", "setwfproperty", ["start"], more))).start();
    expect(run.state.items.get(1)?.length).toBe(Math.min(length, 500));
    let changes = 1;
    for (; run.state.status === "running"; changes += 1) {
      expect(run.state.dueAt).toBe(run.now);
      expect(mayBeginItems(run.plan, run.state)).toBe(true);
      expect(run.state.items.get(1)?.open).toBe(0);
      run.send({ kind: "look" });
    }
    expect(run.state.status).toBe("succeeded");
    expect(changes).toBe(Math.ceil(length / 500));
    expect(run.task("each").results?.[0]?.value).toEqual(list);
    expect([...(run.state.items.get(1) ?? [])].map(({ name }) => name)).toEqual(list.map((index) => `each[${index}]`));
  });

  test("items of workers that have no row yet get one when those before them have begun", () => {
    const items = Array.from({ length: 502 }, (_, index) => index);
    const run = new RunSimulator(workflow(node("each", "script", ["start"], { forEach: { items, parallel: 100 } }))).start();
    const list = () => run.state.items.get(1) as ItemList<TaskState>;
    for (let ended = 0; ended < 502; ended += 1) {
      const task = list().at(ended) as TaskState;
      const claimed: TaskState = { ...task, status: "running", phase: "running", attempt: 1, workerId: "worker", startedAt: run.now };
      list().put(claimed);
      run.send({ kind: "ended", taskRunId: task.id, attempt: 1, outcome: { status: "succeeded", reason: "", message: "", results: [] } });
      expect(list().length).toBe(ended < 400 ? 500 : 502);
    }
    expect(run.state.status).toBe("succeeded");
  }, 60_000);

  test("over an empty list succeeds", () => {
    expect(new RunSimulator(workflow(node("each", "script", ["start"], { forEach: { items: [] } }))).start().state.status).toBe(
      "succeeded",
    );
  });

  test("over something that is not a list is invalid and says so", () => {
    const run = new RunSimulator(workflow(node("each", "script", ["start"], { forEach: { items: "a, b" } }))).start();
    expect(run.task("each")).toMatchObject({ status: "invalid", reason: "ForEachItemsInvalid" });
  });

  test("over a name that does not exist fails", () => {
    const run = new RunSimulator(workflow(node("each", "script", ["start"], { forEach: { items: "$(params.nothing)" } }))).start();
    expect(run.task("each")).toMatchObject({ status: "failed", reason: "UnresolvedReference" });
  });
});

describe("waiting", () => {
  test("a sleep ends when it is due", () => {
    const run = new RunSimulator(workflow(node("z", "sleep", ["start"], { params: [{ name: "duration", value: "500" }] }))).start();
    expect(run.task("z")).toMatchObject({ status: "waiting", waitKind: "sleep", dueAt: run.now + 500 });
    run.now += 499;
    expect(run.send({ kind: "look" }).state.status).toBe("running");
    run.now += 1;
    expect(run.send({ kind: "look" }).state.status).toBe("succeeded");
  });

  test("an event that came early ends the wait at once", () => {
    const run = new RunSimulator(workflow(node("w", "eventwait", ["start"], { params: [{ name: "topic", value: "t" }] })));
    run.events.set("t", { status: "succeeded", payload: { n: 1 } });
    expect(run.start().task("w").results).toEqual([{ name: "data", value: { n: 1 } }]);
  });

  test("one callback frees every wait on its topic, and no other", () => {
    const topic = (name: string) => ({ params: [{ name: "topic", value: name }] });
    const run = new RunSimulator(
      workflow(
        node("a", "eventwait", ["start"], topic("t")),
        node("b", "eventwait", ["start"], topic("t")),
        node("c", "eventwait", ["start"], topic("u")),
      ),
    );
    run.start().send({ kind: "callback", topic: "t", status: "failed", payload: null });
    expect(run.statuses()).toEqual({ a: "failed", b: "failed", c: "waiting" });
  });

  test("a lock held elsewhere is waited for until its time-out, with the holder named", () => {
    const run = new RunSimulator(
      workflow(
        node("l", "acquirelock", ["start"], {
          params: [
            { name: "key", value: "k" },
            { name: "timeout", value: 6 },
          ],
        }),
      ),
    );
    run.locks.set("k", "run 7");
    expect(run.start().task("l")).toMatchObject({ status: "waiting", waitKind: "lock", waitDetail: 'Lock "k" is held by run 7' });
    run.now += 6000;
    expect(run.send({ kind: "look" }).task("l")).toMatchObject({ status: "failed", reason: "LockTimeout" });
  });

  test("an approval waits for its decision", () => {
    const run = new RunSimulator(workflow(node("ok", "approval"))).start();
    expect(run.state.awaitingApproval).toBe(true);
    run.send({ kind: "decided", taskRunId: run.task("ok").id, approved: false, results: [], message: "no" });
    expect(run.state).toMatchObject({ status: "failed", awaitingApproval: false });
  });
});

describe("an end from outside", () => {
  const running = () => {
    const run = new RunSimulator(
      workflow(
        node("a", "script"),
        node("b", "script", ["a"]),
        node("z", "sleep", ["start"], { params: [{ name: "duration", value: 5 }] }),
      ),
    ).start();
    run.claim("a");
    return run;
  };

  test("cancel ends what runs or waits as cancelled and what had not begun as skipped", () => {
    const run = running().send({ kind: "cancel", message: "Cancelled by test" });
    expect(run.statuses()).toEqual({ a: "cancelled", b: "skipped", z: "cancelled" });
    expect(run.state).toMatchObject({ status: "cancelled", statusMessage: "Cancelled by test" });
  });

  test("a run past its deadline ends as timedout", () => {
    const run = new RunSimulator(workflow(node("a", "script")), { timeoutMinutes: 1 }).start();
    run.now += 60_000;
    expect(run.send({ kind: "look" }).state.status).toBe("timedout");
  });

  test("an ended run never changes", () => {
    const run = running().send({ kind: "cancel", message: "x" });
    const before = run.state.nodes;
    run.send({ kind: "cancel", message: "y" }, { kind: "look" });
    expect(run.state.nodes).toEqual(before);
    expect(run.state.statusMessage).toBe("x");
  });
});

describe("references", () => {
  const text = "n is $(tasks.a.results.n), m is $(tasks.a.results.m)";
  const started = (more: Partial<DocumentNode>, ofA: Partial<DocumentNode> = {}, edge: ExecutionCondition = "always") =>
    new RunSimulator(
      workflow(
        node("a", "script", ["start"], ofA),
        node("b", "setwfproperty", [{ from: "a", on: edge }], { ...setResult("out", text), ...more }),
      ),
    ).start();
  const three = [{ name: "n", value: "3" }];

  test("to a result that does not exist fail the task, and name it", () => {
    const run = started({}).end("a", "succeeded", three);
    expect(run.task("b")).toMatchObject({
      status: "failed",
      reason: "UnresolvedReference",
      statusMessage: '$(tasks.a.results.m): task "a" has no result "m"',
    });
    expect(run.state).toMatchObject({ status: "failed", results: [] });
  });

  test("stay as written where the node says so, with a warning", () => {
    const run = started({ unresolvedReferences: "keep" }).end("a", "succeeded", three);
    expect(run.state.results).toEqual([{ name: "out", value: "n is 3, m is $(tasks.a.results.m)" }]);
    expect(run.task("b").warnings).toEqual([{ param: "value", reference: "$(tasks.a.results.m)", why: 'task "a" has no result "m"' }]);
  });

  test("to a result that was declared and not left are empty, with a warning", () => {
    const run = started({}, { results: [{ name: "n" }, { name: "m" }] }).end("a", "succeeded", three);
    expect(run.state.results).toEqual([{ name: "out", value: "n is 3, m is " }]);
    expect(run.task("b").warnings).toMatchObject([{ why: 'task "a" did not leave it, so its result "m" is empty' }]);
  });

  test("to results of a task that failed are empty, with a warning each", () => {
    const run = started({}, {}, "failure").end("a", "failed");
    expect(run.state.results).toEqual([{ name: "out", value: "n is , m is " }]);
    expect(run.task("b").warnings).toHaveLength(2);
  });
});

test("a child run is waited for and its results are passed up", () => {
  const run = new RunSimulator(
    workflow(
      node("c", "runworkflow", ["start"], {
        params: [
          { name: "workflowRef", value: "w" },
          { name: "wait", value: "true" },
        ],
      }),
    ),
  ).start();
  const runId = run.task("c").waitKey as string;
  run.send({ kind: "child", taskRunId: run.task("c").id, runId, status: "succeeded", results: [{ name: "r", value: 1 }], message: null });
  expect(run.task("c").results).toEqual([
    { name: "workflowRunRef", value: runId },
    { name: "status", value: "succeeded" },
    { name: "r", value: 1 },
  ]);
});

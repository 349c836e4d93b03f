import { describe, expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../../test/kit/run-simulator.ts";
import type { LoopDocument } from "../../workflow/compile-loop.ts";
import type { DocumentNode } from "../../workflow/plan.ts";
import { mayBeginItems } from "../items/for-each.ts";
import { ItemList } from "../items/item-list.ts";
import { newTaskState, type TaskState } from "../run-state.ts";

const until = (matches: string, value = "$(loop.previous.results.state)") => ({ until: { value, matches } });
const script = (loop: LoopDocument, more: Partial<DocumentNode> = {}) =>
  new RunSimulator(workflow(node("poll", "script", ["start"], { loop, ...more }))).start();
const state = (value: string) => [{ name: "state", value }];

describe("until", () => {
  test("runs round after round, each with what the one before left, and has the results of the last", () => {
    const params = [{ name: "seen", value: "$(loop.index): $(loop.previous.results.state) $(loop.previous.status)" }];
    const run = script(until("done\nready"), { params });
    expect(run.task("poll")).toMatchObject({ status: "waiting", waitKind: "items", waitDetail: "Round 1 of at most 100" });
    expect(run.task("poll[0]")).toMatchObject({ status: "ready", params: [{ name: "seen", value: "0:  " }], warnings: [] });
    expect(mayBeginItems(run.plan, run.state)).toBe(false);
    run.end("poll[0]", "succeeded", state("busy"));
    expect(run.task("poll[1]")).toMatchObject({ status: "ready", params: [{ name: "seen", value: "1: busy succeeded" }] });
    run.end("poll[1]", "succeeded", state("ready"));
    expect(run.task("poll")).toMatchObject({ status: "succeeded", statusMessage: "2 rounds", results: state("ready") });
    expect(run.state.items.get(1)?.length).toBe(2);
    expect(run.state.status).toBe("succeeded");
  });

  test("keeps for the hand-over what the rounds refer to, and no more", () => {
    const run = script(until("done"), { params: [{ name: "a", value: "$(loop.previous.results.state)" }] });
    run.end("poll[0]", "succeeded", [...state("busy"), { name: "other", value: "x" }]);
    expect(run.task("poll").params).toEqual([
      { name: "previous", value: { status: "succeeded", results: state("busy") } },
      { name: "resultsLength", value: expect.any(Number) },
    ]);
  });

  test("fails at the limit of rounds, which it names", () => {
    const run = script({ ...until("done"), maxRounds: 2 })
      .end("poll[0]", "succeeded", state("a"))
      .end("poll[1]", "succeeded", state("b"));
    expect(run.task("poll")).toMatchObject({
      status: "failed",
      reason: "RoundLimitReached",
      statusMessage: "The limit of 2 rounds (loop.maxRounds) was reached, and the condition of until never held",
      results: state("b"),
    });
    expect(run.state.status).toBe("failed");
  });

  test("fails when its rounds have left more results than may be kept, whichever process has counted the first of them", () => {
    const run = script({ ...until("never", "$(loop.index)"), maxRounds: 100, onLimit: "succeed" });
    const large = state("x".repeat(2 ** 24));
    for (let round = 0; run.task("poll").status === "waiting"; round++) {
      // As another process reads the rows: without results.
      const read = [...(run.state.items.get(1) ?? [])].map((task) => ({ ...task, results: undefined }));
      run.state = { ...run.state, items: new Map([[1, ItemList.of(read)]]) };
      run.end(`poll[${round}]`, "succeeded", large);
    }
    expect(run.task("poll")).toMatchObject({ status: "failed", reason: "ResultTooLarge" });
    expect(run.task("poll").statusMessage).toContain("256 MiB of results in total, and 16 rounds have more");
  });

  test("says at the limit that a line end at the end of the value is in the way", () => {
    const messageAfter = (value: string) =>
      script({ ...until("done"), maxRounds: 1 })
        .end("poll[0]", "succeeded", state(value))
        .task("poll").statusMessage;
    expect(messageAfter("done\n")).toContain("never held. The value ends with a line end, as echo writes one");
    expect(messageAfter("busy\n")).not.toContain("line end");
  });

  test("succeeds at the limit when its author says so, and looks at the condition of the last round first", () => {
    const atLimit = script({ ...until("done"), maxRounds: 1, onLimit: "succeed" }).end("poll[0]", "succeeded", state("a"));
    expect(atLimit.task("poll")).toMatchObject({ status: "succeeded", reason: "RoundLimitReached" });
    const inTime = script({ ...until("done"), maxRounds: 1 }).end("poll[0]", "succeeded", state("done"));
    expect(inTime.task("poll")).toMatchObject({ status: "succeeded", reason: null });
  });
});

describe("while", () => {
  test("may end before the first round", () => {
    const run = script({ while: { value: "$(loop.index)", matches: "[1-9]" } });
    expect(run.task("poll")).toMatchObject({ status: "succeeded", statusMessage: "0 rounds" });
    expect(run.state.items.get(1)).toBeUndefined();
  });

  test("continues while the condition holds", () => {
    const run = script({ while: { value: "$(loop.index)", matches: "0|1" } })
      .end("poll[0]")
      .end("poll[1]");
    expect(run.task("poll")).toMatchObject({ status: "succeeded", statusMessage: "2 rounds" });
  });
});

describe("a round that does not succeed", () => {
  test("ends the loop, after its retries", () => {
    const run = script(until("done"), { retry: { count: 1, backoffMs: 0 } }).end("poll[0]", "failed");
    run.now += 1;
    run.send({ kind: "look" }).end("poll[0]", "failed");
    expect(run.task("poll[0]").attempt).toBe(2);
    expect(run.task("poll")).toMatchObject({ status: "failed", reason: "RoundFailed", statusMessage: "Round 1 ended as failed: failed" });
  });

  test("is one of several if the loop is to continue", () => {
    const run = script({ ...until("succeeded", "$(loop.previous.status)"), stopAtFailure: false }).end("poll[0]", "failed");
    expect(run.task("poll[1]").status).toBe("ready");
    run.end("poll[1]");
    expect(run.task("poll")).toMatchObject({ status: "succeeded", statusMessage: "2 rounds" });
    expect(run.state.status).toBe("succeeded");
  });
});

describe("a pause", () => {
  test("is made between two rounds, and not after the last", () => {
    const run = script({ ...until("done"), pauseSeconds: 30 }).end("poll[0]", "succeeded", state("busy"));
    const paused = { status: "waiting", waitKind: "sleep", dueAt: run.now + 30_000, waitDetail: "Round 2 begins after a pause of 30 s" };
    expect(run.task("poll")).toMatchObject(paused);
    expect(run.state.activity).toBe("none");
    run.now += 29_999;
    expect(run.send({ kind: "look" }).task("poll")).toMatchObject(paused);
    run.now += 1;
    run.send({ kind: "look" }).send({ kind: "activate" });
    expect(run.task("poll")).toMatchObject({ waitKind: "items", dueAt: null });
    run.end("poll[1]", "succeeded", state("done"));
    expect(run.state.status).toBe("succeeded");
  });

  test("of a sleeping task is not confused with the task's own wait", () => {
    const loop = { while: { value: "$(loop.index)", matches: "0|1" }, pauseSeconds: 1 };
    const run = new RunSimulator(workflow(node("z", "sleep", ["start"], { loop, params: [{ name: "duration", value: "500" }] }))).start();
    const waited: string[] = [];
    for (; run.state.status === "running"; run.now += 500) {
      run.send({ kind: "look" });
      waited.push(`${run.task("z").waitKind} ${run.state.items.get(1)?.length}`);
    }
    expect(waited).toEqual(["items 1", "sleep 1", "sleep 1", "items 2", "null 2"]);
  });
});

describe("a loop of the engine's own tasks", () => {
  const counting = (maxRounds: number): Partial<DocumentNode> => ({
    loop: { ...until("never"), maxRounds, onLimit: "succeed" },
    params: [
      { name: "output", value: "state" },
      { name: "value", value: "$(loop.previous.results.state)$(loop.index)," },
    ],
    results: [{ name: "state" }],
  });

  test("runs 50 rounds in one change", () => {
    const run = new RunSimulator(workflow(node("count", "setwfproperty", ["start"], counting(120)))).start();
    const lengths = [run.state.items.get(1)?.length];
    while (run.state.status === "running") {
      expect(run.state.dueAt).toBe(run.now);
      // So the rounds of a paused loop are not read again for each change.
      expect(mayBeginItems(run.plan, run.state)).toBe(true);
      lengths.push(run.send({ kind: "look" }).state.items.get(1)?.length);
    }
    expect(lengths).toEqual([50, 100, 120]);
    expect(run.task("count").results?.[0]?.value).toBe(Array.from({ length: 120 }, (_, index) => `${index},`).join(""));
  });

  test("can't have more rounds than a run may have", () => {
    const nodes = workflow(
      node("first", "setwfproperty", ["start"], counting(10)),
      node("second", "setwfproperty", ["first"], counting(10)),
    );
    const { plan } = new RunSimulator(nodes);
    const rounds = Array.from({ length: 99_995 }, (_, item) => newTaskState(plan, 1, `id-${item}`, item));
    const ended = ItemList.of(rounds.map((round): TaskState => ({ ...round, status: "succeeded", phase: "completed" })));
    const done: TaskState = { ...newTaskState(plan, 1, "first"), status: "succeeded", phase: "completed" };
    const run = new RunSimulator(nodes, { items: new Map([[1, ended]]) });
    run.state.nodes[0] = { ...newTaskState(plan, 0, "start"), status: "succeeded", phase: "completed" };
    run.state.nodes[1] = done;
    run.start();
    expect(run.state.items.get(2)?.length).toBe(5);
    expect(run.task("second")).toMatchObject({ status: "failed", reason: "TooManyRounds" });
  });
});

describe("a condition", () => {
  test("that refers to what does not exist fails the loop and names it", () => {
    const run = script(until("done", "$(params.nothing)")).end("poll[0]");
    expect(run.task("poll")).toMatchObject({ status: "failed", reason: "UnresolvedReference" });
    expect(run.task("poll").statusMessage).toContain("$(params.nothing)");
  });

  test("that can't be tried on its value fails the loop instead of counting as false", () => {
    const run = script(until("(a|b)*a")).end("poll[0]", "succeeded", state("ab".repeat(10_000)));
    expect(run.task("poll")).toMatchObject({ status: "failed", reason: "ConditionNotTried" });
  });
});

test("a run that is cancelled ends its round and its loop", () => {
  const run = script(until("done")).send({ kind: "cancel", message: "Cancelled by ann" });
  expect([run.task("poll").status, run.task("poll[0]").status, run.state.status]).toEqual(["cancelled", "cancelled", "cancelled"]);
  const paused = script({ ...until("done"), pauseSeconds: 60 }).end("poll[0]", "succeeded", state("a"));
  paused.send({ kind: "cancel", message: "Cancelled by ann" });
  expect([paused.task("poll").status, paused.task("poll[0]").status]).toEqual(["cancelled", "succeeded"]);
});

test("a loop is undone once, if one of its rounds succeeded", () => {
  const undo = { name: "undo", type: "script" as const };
  const run = new RunSimulator([
    ...workflow(node("poll", "script", ["start"], { loop: until("done"), compensatedBy: "undo" })),
    undo,
  ]).start();
  run.end("poll[0]", "succeeded", state("a")).end("poll[1]", "failed");
  expect(run.task("undo").status).toBe("ready");
  expect(run.end("undo").state.status).toBe("failed");
});

test("the end of a round that is reported twice begins one round", () => {
  const run = script(until("done"));
  const { id } = run.claim("poll[0]");
  const outcome = { status: "succeeded", reason: "", message: "", results: state("busy") } as const;
  const event = { kind: "ended", taskRunId: id, attempt: 1, outcome } as const;
  run.send(event as never).send(event as never);
  expect(run.state.items.get(1)?.length).toBe(2);
});

describe("forEach", () => {
  const each = (more: object) =>
    new RunSimulator(workflow(node("each", "script", ["start"], { forEach: { items: ["a", "b", "c"], ...more } }))).start();

  test("that stops at the first failure begins no other item and awaits those that run", () => {
    const run = each({ parallel: 2, stopAtFailure: true }).end("each[0]", "failed");
    expect(run.task("each")).toMatchObject({ status: "waiting" });
    expect(run.task("each[2]").status).toBe("notstarted");
    run.end("each[1]", "succeeded", [{ name: "n", value: 1 }]);
    expect(run.task("each[2]")).toMatchObject({ status: "skipped", reason: "ItemFailed" });
    expect(run.task("each")).toMatchObject({ status: "failed", reason: "ItemFailed", results: [{ name: "n", value: [null, 1, null] }] });
    expect(run.task("each").statusMessage).toContain("the first is each[0]");
  });

  test("gives batches of its items, in order", () => {
    const forEach = { items: ["a", "b", "c"], batchSize: 2 };
    const run = new RunSimulator(
      workflow(node("each", "script", ["start"], { forEach, params: [{ name: "files", value: "$(params.item)" }] })),
    ).start();
    expect(run.state.items.get(1)?.length).toBe(2);
    expect(run.task("each[0]").params).toEqual([{ name: "files", value: ["a", "b"] }]);
    expect(run.task("each[1]").params).toEqual([{ name: "files", value: ["c"] }]);
  });
});

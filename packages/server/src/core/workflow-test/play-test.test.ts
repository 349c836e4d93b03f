import type { WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { node, RunSimulator, workflow } from "../../../test/kit/run-simulator.ts";
import { engineTaskTypes } from "../../tasks/registry.ts";
import { coverageOf } from "./branch-coverage.ts";
import { countedIds } from "./in-memory-run.ts";
import { playWhole } from "./play-test.ts";

type Nodes = ConstructorParameters<typeof RunSimulator>[0];

function play(nodes: Nodes, written: Partial<WorkflowTestInput>) {
  const { plan, state } = new RunSimulator(nodes);
  return playWhole({ plan, state, types: engineTaskTypes, test: { name: "it", ...written }, ids: countedIds(1_000_000) });
}

const ref = (text: string) => [{ name: "value", value: text }];
const deploy = workflow(
  node("build", "script", ["start"], { results: [{ name: "size" }] }),
  node("large?", "decision", ["build"], { params: ref("$(tasks.build.results.size)") }),
  node("approve", "approval", [{ from: "large?", when: "large" }]),
  node("ship", "script", [{ from: "approve", on: "success" }], { params: [{ name: "size", value: "$(tasks.build.results.size)" }] }),
  node("skip it", "setwfstatus", [{ from: "large?", when: "small" }], { params: [{ name: "status", value: "failed" }] }),
);

describe("a test of a workflow", () => {
  test("plays the rounds of a loop, each as its mock says, with pauses that take no time", () => {
    const loop = { until: { value: "$(loop.previous.results.state)", matches: "ready" }, maxRounds: 5, pauseSeconds: 600 };
    const poll = { loop, results: [{ name: "state" }], params: [{ name: "last", value: "$(loop.previous.results.state)" }] };
    const nodes = workflow(node("poll", "script", ["start"], poll), node("use", "script", [{ from: "poll", on: "success" }]));
    const items = [{ results: { state: "busy" } }, { results: { state: "busy" } }, { results: { state: "ready" } }];
    const result = play(nodes, {
      mocks: { poll: { items }, use: {} },
      expect: {
        ran: ["poll", "use"],
        params: { "poll[2]": { last: "busy" } },
        tasks: { poll: { results: { state: "ready" } } },
        duration: { min: "20m", max: "20m" },
      },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
    const never = play(nodes, { mocks: { poll: { results: { state: "busy" } } }, expect: { status: "failed", skipped: ["use"] } });
    expect(never).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("takes the path that its mocks and events lead to, by a clock that jumps", () => {
    const result = play(deploy, {
      mocks: { build: { results: { size: "large" }, duration: "5m" }, ship: {} },
      events: [{ task: "approve", after: "2h", by: "Ann", comments: "go" }],
      expect: {
        ran: ["build", "approve", "ship"],
        skipped: ["skip it"],
        order: ["build", "large?", "approve", "ship"],
        params: { ship: { size: "large" } },
        tasks: { "large?": { decision: "large" }, approve: { results: { approvalUserName: "Ann", approvalComments: "go" } } },
        duration: { min: "2h5m", max: "2h5m" },
      },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [], run: { status: "succeeded", durationMs: 7_500_000 } });
    expect(result.run?.links).toContainEqual({ from: "large?", to: "approve" });
    expect(result.run?.links).not.toContainEqual({ from: "large?", to: "skip it" });
  });

  test("says of each expectation that is not met what was expected and what happened", () => {
    const result = play(deploy, {
      mocks: { build: { results: { size: "small" } } },
      expect: { ran: ["ship"], skipped: ["build"], results: { url: "x" }, params: { ship: { size: "large" } }, duration: { min: "1s" } },
    });
    expect(result.outcome).toBe("failed");
    expect(result.failures.map(({ path }) => path)).toEqual([
      ...["/expect/status", "/expect/results/url", "/expect/duration/min", "/expect/ran/0", "/expect/skipped/0", "/expect/params/ship"],
    ]);
    expect(result.failures[0]).toMatchObject({ expected: "succeeded", actual: "failed" });
  });

  test.each<[string, Nodes, Partial<WorkflowTestInput>, string]>([
    ["a task on a worker has no mock", deploy, {}, 'task "build" runs on a worker (script) and has no mock; add mocks.build'],
    [
      "nobody decides",
      deploy,
      { mocks: { build: { results: { size: "large" } } } },
      'task "approve" waits forever: Waiting for an approval',
    ],
    [
      "a mock is of no task",
      deploy,
      { mocks: { biuld: {} } },
      "/mocks/biuld names the task biuld, which the workflow doesn't have; did you mean build?",
    ],
    ["an expectation is of no task", deploy, { expect: { ran: ["shop"] } }, "/expect/ran/0 names the task shop, which"],
    ["an event says nothing", deploy, { events: [{ at: "1s" }] }, "/events/0 must have one of task, topic and cancel"],
    ["what can't be decided is", deploy, { events: [{ task: "build" }] }, "/events/0/task names the task build, which is of type script"],
    [
      "a run is waited for",
      workflow(
        node("child", "runworkflow", ["start"], {
          params: [
            { name: "workflowRef", value: "x" },
            { name: "wait", value: true },
          ],
        }),
      ),
      {},
      "waits for another workflow and has no mock",
    ],
  ])("that can't be run to its end says why: %s", (_case, nodes, written, problem) => {
    const result = play(nodes, written);
    expect(result.outcome).toBe("failed");
    expect(result.problem).toContain(problem);
  });

  test("tries a task again as its policy says, with another end for each attempt", () => {
    const nodes = workflow(node("fetch", "script", ["start"], { retry: { count: 3, backoffMs: 60_000, factor: 1 } }));
    const result = play(nodes, {
      mocks: {
        fetch: { attempts: [{ status: "failed", message: "503" }, { status: "lost" }, { status: "failed" }, { results: { body: "ok" } }] },
      },
      expect: { tasks: { fetch: { attempts: 4, results: { body: "ok" } } }, duration: { min: "60s", max: "4m" } },
    });
    expect(result).toMatchObject({ outcome: "passed" });
  });

  test("has an end for each item, and collects their results", () => {
    const nodes = workflow(
      node("each", "script", ["start"], { forEach: { items: ["a", "b", "c"], parallel: 2 }, params: ref("$(task.item)") }),
    );
    const result = play(nodes, {
      mocks: {
        each: {
          results: { n: 0 },
          items: [
            { results: { n: 1 }, duration: "3s" },
            { status: "failed", message: "no" },
          ],
        },
      },
      expect: { status: "failed", ran: ["each[2]"], tasks: { each: { results: { n: [1, null, 0] } }, "each[1]": { status: "failed" } } },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("lets events come from outside, sleeps pass, and people or a deadline end a wait", () => {
    const nodes = workflow(
      node("paid", "eventwait", ["start"], { params: [{ name: "topic", value: "paid" }] }),
      node("nap", "sleep", ["paid"], { params: [{ name: "duration", value: 86_400_000 }] }),
      node("ask", "manual", ["nap"], { params: [{ name: "deadline", value: 60 }] }),
    );
    const result = play(nodes, {
      events: [{ topic: "paid", at: "10m", data: { euro: 5 } }],
      expect: {
        status: "failed",
        tasks: { paid: { results: { data: { euro: 5 } } }, ask: { status: "timedout" } },
        duration: { min: "25h10m", max: "25h10m" },
      },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("ends the tasks of the engine as their mocks say, too", () => {
    const nodes = workflow(
      node("child", "runworkflow", ["start"], {
        params: [
          { name: "workflowRef", value: "x" },
          { name: "wait", value: true },
        ],
      }),
      node("switch", "decision", ["child"], { params: ref("b") }),
      node("a", "sleep", [{ from: "switch", when: "a" }], { params: [{ name: "duration", value: 5 }] }),
      node("b", "sleep", [{ from: "switch", when: "b" }], { params: [{ name: "duration", value: 5 }] }),
    );
    const result = play(nodes, {
      mocks: { child: { duration: "3h", results: { url: "u" } }, switch: { decision: "a" } },
      expect: { ran: ["a"], skipped: ["b"], tasks: { child: { results: { url: "u" } } }, duration: { min: "3h" } },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("can cancel its run, and has mocks for all other tasks", () => {
    const nodes = workflow(node("one", "script"), node("two", "script", ["one"]));
    const result = play(nodes, {
      mocks: { two: { duration: "1h" } },
      mockOthers: {},
      events: [{ cancel: true, at: "30m" }],
      expect: { status: "cancelled" },
    });
    expect(result).toMatchObject({ outcome: "passed", run: { durationMs: 1_800_000 } });
  });

  test("is bounded: a workflow that never comes to an end is given up", () => {
    const nodes = workflow(
      node("nap", "sleep", ["start"], { params: [{ name: "duration", value: 315_360_000_000 }] }),
      node("again", "sleep", ["nap"], { params: [{ name: "duration", value: 315_360_000_000 }] }),
    );
    expect(play(nodes, {}).problem).toContain("longer than 3660 days");
  });

  test("gives the same answer each time", () => {
    const written = { mocks: { build: { results: { size: "large" } }, ship: {} }, events: [{ task: "approve" }] };
    expect(play(deploy, written)).toEqual(play(deploy, written));
  });
});

test("the coverage of several tests counts what any of them ran", () => {
  const { plan } = new RunSimulator(deploy);
  const results = [play(deploy, { mocks: { build: { results: { size: "small" } } }, expect: { status: "failed" } })];
  expect(coverageOf(plan, results)).toEqual({
    tasks: { total: 5, covered: 3, missing: ["approve", "ship"] },
    links: expect.objectContaining({ missing: expect.arrayContaining([{ from: "large?", to: "approve" }]) }),
  });
  results.push(play(deploy, { mocks: { build: { results: { size: "large" } }, ship: {} }, events: [{ task: "approve" }] }));
  expect(coverageOf(plan, results)).toMatchObject({ tasks: { covered: 5, missing: [] }, links: { missing: [] } });
});

test("50 mocked tasks take at most 50 ms", () => {
  const nodes = workflow(
    ...Array.from({ length: 50 }, (_, index) => node(`task ${index}`, "script", [index === 0 ? "start" : `task ${index - 1}`])),
  );
  const run = () => play(nodes, { mockOthers: { results: { n: 1 } } });
  for (let warm = 0; warm < 20; warm++) run();
  const expectWithin = startWork();
  for (let times = 0; times < 10; times++) expect(run().outcome).toBe("passed");
  expectWithin(10 * 50);
});

import { describe, expect, onTestFinished, test } from "vitest";
import { loadRun } from "../../../src/api/run/load-run.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { needsMet } from "../../../src/core/task/place-task.ts";
import type { ExecutorKind } from "../../../src/core/task/tekton/runnable.ts";
import type { DocumentNode } from "../../../src/core/workflow/plan.ts";
import type { Job } from "../../../src/engine/executor.ts";
import { ExecutorSet } from "../../../src/engine/executor-set.ts";
import { LeaseKeeper } from "../../../src/engine/lease-keeper.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { Worker } from "../../../src/engine/worker.ts";
import { writeSettings } from "../../../src/store/settings/settings.ts";
import { type Claim, claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { type Play, testExecutor, testExecutors } from "../../kit/worker/test-executor.ts";

/**
 * Which worker gets which task run, and what is recorded about it. Steps without an image get one here, so scripts need the container
 * executor.
 */
const { sql, address } = await testDatabase();
await writeSettings(sql, [{ group: "task", key: "default.image", value: "debian:13" }]);
const kit = engineKit(sql);

const on = (name: string, annotations: Record<string, string>, more: Partial<DocumentNode> = {}) =>
  node(name, "script", ["start"], { annotations: prefixed(annotations), ...more });

function prefixed(annotations: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`millrace.dev/${name}`, value]));
}

/** One task run for each requirement, ready to be claimed. */
async function oneOfEach() {
  const nodes = [on("p", { executor: "process" }), on("c", { executor: "container" }), on("k", { executor: "kubernetes" }), on("i", {})];
  return submitted(workflow(...nodes));
}

async function submitted(nodes: DocumentNode[]) {
  const teamId = await kit.team();
  await kit.workflow(teamId, "flow", nodes);
  const { id } = await kit.submit(teamId, "flow");
  await kit.settle();
  const names = new Map((await kit.tasks(teamId, id)).map((task) => [task.id, task.name]));
  return { teamId, id, nameOf: (claim: Claim) => `${names.get(claim.id)} ${claim.need}` };
}

/** What a worker with these executors and labels would get now. */
async function claimAs(kinds: ExecutorKind[], labels: string[] = []): Promise<Claim[]> {
  return claimTaskRuns(sql, await kit.worker({ executors: kinds }), 100, needsMet(kinds), labels);
}

describe("a worker claims", () => {
  test("what its executors can do, and nothing else", async () => {
    const { nameOf } = await oneOfEach();
    expect((await claimAs(["container"])).map(nameOf).sort()).toEqual(["c container", "i image"]);
    expect((await claimAs(["container"])).map(nameOf)).toEqual([]);
    expect((await claimAs(["process"])).map(nameOf)).toEqual(["p process"]);
    expect((await claimAs(["process", "kubernetes"])).map(nameOf)).toEqual(["k kubernetes"]);
  });

  test("what needs an image exactly once, container or cluster, whichever is first", async () => {
    const { nameOf } = await submitted(workflow(...Array.from({ length: 20 }, (_, index) => on(`i${index}`, {}))));
    const kinds: ExecutorKind[][] = [["container"], ["kubernetes"], ["process", "container"], ["process"]];
    const claimed: Claim[][] = kinds.map(() => []);
    for (let round = 0; round < 5; round++) {
      const more = await Promise.all(kinds.map((one) => claimAs(one)));
      for (const [index, claims] of more.entries()) claimed[index]?.push(...claims);
    }
    expect(claimed[3]).toEqual([]);
    expect(new Set(claimed.flat().map(nameOf)).size).toBe(20);
    expect(claimed.flat()).toHaveLength(20);
  });

  test("task runs with labels only with all of them, the node's before the task's", async () => {
    const { teamId, id, nameOf } = await submitted(
      workflow(on("gpu", { executor: "process", "runs-on": "linux, gpu" }), on("any", { executor: "process" })),
    );
    expect((await kit.tasks(teamId, id)).find(({ name }) => name === "gpu")?.runsOn).toEqual(["linux", "gpu"]);
    expect((await claimAs(["process"], ["linux"])).map(nameOf)).toEqual(["any process"]);
    expect((await claimAs(["process"], ["gpu", "windows"])).map(nameOf)).toEqual([]);
    expect((await claimAs(["container"], ["gpu", "linux"])).map(nameOf)).toEqual([]);
    expect((await claimAs(["process"], ["gpu", "linux", "x"])).map(nameOf)).toEqual(["gpu process"]);
  });

  test("the items of a list by the same labels and needs as their node", async () => {
    const { nameOf } = await submitted(
      workflow(on("each", { executor: "kubernetes", "runs-on": "big" }, { forEach: { items: [1, 2], parallel: 2 } })),
    );
    expect((await claimAs(["kubernetes"])).map(nameOf)).toEqual([]);
    expect(await claimAs(["container", "process"], ["big"])).toEqual([]);
    expect(await claimAs(["kubernetes"], ["big"])).toHaveLength(2);
  });
});

test("a task that nothing here can run ends at once, without any worker, and says what is not supported", async () => {
  const { teamId, id } = await submitted(workflow(on("odd", { executor: "container", "runs-on": "$(params.x)" })));
  const [odd] = (await kit.tasks(teamId, id)).filter(({ name }) => name === "odd");
  expect(odd).toMatchObject({ status: "invalid", reason: "InvalidTask", attempt: 0, executor: null });
  expect(odd?.statusMessage).toContain('its annotation millrace.dev/runs-on is "$(params.x)"; it must be labels of workers');
  expect((await kit.run(teamId, id)).status).toBe("failed");
});

const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };

describe("a claimed task run goes", () => {
  const handedTo = async (executors: ExecutorSet, kinds: ExecutorKind[]) => {
    const { nameOf } = await oneOfEach();
    const prepared = await prepareJobs(sql, kit.context, { executors, workspacesDir: "/nowhere", limits }, await claimAs(kinds));
    return Object.fromEntries(prepared.map(({ claim, executor, job }) => [nameOf(claim), `${executor.kind} ${job?.steps[0]?.image}`]));
  };

  test("to the most wanted executor that can do it, with the instance's image only where there are images", async () => {
    expect(await handedTo(testExecutors("process", "kubernetes", "container"), ["process", "kubernetes", "container"])).toEqual({
      "p process": "process undefined",
      "c container": "container debian:13",
      "k kubernetes": "kubernetes debian:13",
      "i image": "kubernetes debian:13",
    });
  });

  test("past an executor that does not work at the moment", async () => {
    const nothing: Play = async () => ({});
    const off = testExecutor(nothing, { kind: "kubernetes", isAvailable: () => false });
    const set = new ExecutorSet([off, testExecutor(nothing, { kind: "container" })]);
    expect([set.configured, set.available, set.needs]).toEqual([["kubernetes", "container"], ["container"], ["container", "image"]]);
    expect(set.choose("image")?.kind).toBe("container");
    expect(set.choose("kubernetes")).toBe(off);
    expect(set.choose("process")).toBeUndefined();
  });

  test("with labels for nodes of the cluster, where the node asks for them", async () => {
    await submitted(workflow(on("k", { executor: "kubernetes", "node-selector": "disk=ssd, pool=big", network: "outbound" })));
    const [prepared] = await prepareJobs(
      sql,
      kit.context,
      { executors: testExecutors("kubernetes"), workspacesDir: "/nowhere", limits },
      await claimAs(["kubernetes"]),
    );
    expect(prepared?.job).toMatchObject({ network: "outbound", scheduling: { nodeSelector: { disk: "ssd", pool: "big" } } });
  });
});

describe("a worker", () => {
  test("claims for an executor only while it works, and its row lists those", async () => {
    const { teamId, id } = await submitted(workflow(on("p", { executor: "process" }), on("c", { executor: "container" })));
    let isEngineThere = false;
    const play: Play = async () => ({});
    const executors = new ExecutorSet([
      testExecutor(play, { kind: "container", isAvailable: () => isEngineThere }),
      testExecutor(play, { kind: "process" }),
    ]);
    const workerId = await kit.worker({ executors: executors.available, configured: executors.configured });
    const worker = new Worker({ ...workerParts(executors), workerId });
    const keeper = new LeaseKeeper({
      sql,
      worker,
      executors,
      workerId,
      leaseSeconds: 600,
      log: createLog("silent"),
      onLost: () => undefined,
    });
    const row = async () => (await sql`select executors, configured from worker where id = ${workerId}`)[0];
    const statuses = async () =>
      (await kit.tasks(teamId, id)).filter(({ type }) => type === "script").map(({ name, status }) => `${name} ${status}`);
    expect(await row()).toMatchObject({ executors: ["process"], configured: ["container", "process"] });
    expect(await worker.tick()).toBe(1);
    await until(async () => (await statuses()).includes("p succeeded"), "the process");
    expect(await statuses()).toContain("c ready");
    isEngineThere = true;
    await keeper.tick();
    expect(await row()).toMatchObject({ executors: ["container", "process"] });
    expect(await worker.tick()).toBe(1);
    await until(async () => (await kit.run(teamId, id)).status === "succeeded", "the container");
    isEngineThere = false;
    await keeper.tick();
    expect(await row()).toMatchObject({ executors: ["process"] });
    await worker.close();
  });

  function workerParts(executors: ExecutorSet) {
    const settings = { executors, workspacesDir: "/nowhere", limits };
    return {
      ...{ sql, bus: kit.bus, log: createLog("silent"), executors, slots: 4, labels: [], graceMs: 0 },
      prepare: (claims: readonly Claim[]) => prepareJobs(sql, kit.context, settings, claims),
      complete: async (work: Parameters<typeof kit.driver.advance>[0]) => {
        await kit.driver.advance(work);
        return [];
      },
      claimed: () => undefined,
    };
  }
});

/** A process of the service whose executor plays what it is reported. */
async function processWith(play: Play, kind: ExecutorKind) {
  const one = engineNode(address, { executor: testExecutor(play, { kind }), graceMs: 0 });
  await one.start();
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await one.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { ...one, stop };
}

describe("what is known of attempts", () => {
  test("a worker that shuts down returns its attempt: the next one can continue it, and no loss is counted", async () => {
    const jobs: Job[] = [];
    const endless: Play = async (job, _script, _print, stopped) => {
      jobs.push(job);
      await stopped;
      return {};
    };
    const retry = { retry: { count: 1, backoffMs: 0, factor: 1, maxBackoffMs: 0, on: ["failed" as const] } };
    const { teamId, id } = await submitted(workflow(on("k", { executor: "kubernetes" }, retry)));
    for (let round = 1; round <= 6; round++) {
      const one = await processWith(endless, "kubernetes");
      await until(() => jobs.length === round, `attempt ${round}`);
      await one.stop();
    }
    const last = await processWith(async (job) => {
      jobs.push(job);
      return jobs.length === 7 ? { status: "failed", reason: "ExitCode", message: "no" } : {};
    }, "kubernetes");
    await until(async () => (await kit.run(teamId, id)).status === "succeeded", "the run");
    await last.stop();
    expect(jobs.map(({ attempt, lostAttempts }) => [attempt, lostAttempts])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((attempt) => [attempt, attempt - 1]),
      [8, 0],
    ]);
  });

  test("attempts whose worker was lost count for the next one, in a row", async () => {
    const { teamId, id } = await submitted(workflow(on("k", { executor: "kubernetes" })));
    for (let losses = 0; losses < 3; losses++) {
      const [claim] = await claimAs(["kubernetes"]);
      expect(claim).toMatchObject({ attempt: losses + 1, losses });
      await kit.driver.advance([{ teamId, id, events: [{ kind: "lost", taskRunId: claim!.id, attempt: claim!.attempt }] }]);
    }
    await kit.driver.advance([{ teamId, id, events: [{ kind: "cancel", message: "enough" }] }]);
    const run = await loadRun(sql, kit.context, teamId, await kit.run(teamId, id));
    const attempts = run.tasks?.find(({ name }) => name === "k")?.attempts;
    expect(attempts).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, status: "lost", executor: "kubernetes", host: "test" })));
  });

  test("where it ran and for what it waited is in its record", async () => {
    const place = { node: "node-1", unit: "pod-1", images: [{ step: "k", image: "debian:13", digest: "sha256:1" }] };
    const one = await processWith(
      async () => ({
        place,
        waits: { quotaMs: 1, schedulingMs: 20, imagePullMs: 300.4, startMs: 4000 },
        isolation: "kubernetes",
        host: "here",
      }),
      "kubernetes",
    );
    const { teamId, id } = await submitted(workflow(on("i", {})));
    await until(async () => (await kit.run(teamId, id)).status === "succeeded", "the run");
    await one.stop();
    const run = await loadRun(sql, kit.context, teamId, await kit.run(teamId, id));
    expect(run.queued).toBeGreaterThanOrEqual(0);
    const task = run.tasks?.find(({ name }) => name === "i");
    expect(task?.needs).toBe("image");
    const waits = { queue: expect.any(Number), quota: 1, scheduling: 20, imagePull: 300, start: 4000 };
    expect(task?.attempts).toMatchObject([{ executor: "kubernetes", isolation: "kubernetes", host: "here", ...place, waits }]);
  });
});

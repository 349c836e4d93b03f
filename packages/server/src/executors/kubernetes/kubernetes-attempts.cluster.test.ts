import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ExecutorSpace, executorSpace, helperImage, inTestImage } from "../../../test/kubernetes/executor-bench.ts";
import { type Bench, makeJob, run, startUntil } from "../exercise/scenario.ts";
import type { KubernetesExecutor } from "./kubernetes-executor.ts";
import { jobName, ownerAnnotation } from "./object-names.ts";

/**
 * Which worker owns an attempt in a cluster: what happens to the attempt while it waits, and when its worker goes. Faults of the cluster
 * are in kubernetes-faults.cluster.test.ts.
 */
let space: ExecutorSpace;
let executor: KubernetesExecutor;
const opened: KubernetesExecutor[] = [];
const longer = { timeoutMs: 120_000 };

beforeAll(async () => {
  space = await executorSpace();
  executor = await space.open({ pendingMs: 8_000 });
});
afterEach(async () => {
  await Promise.all([executor.settle(), ...opened.splice(0).map((other) => other.close())]);
  expect(await space.leftovers()).toEqual([]);
});
afterAll(async () => {
  await executor.close();
  await space.remove();
});

function benchOf(one: KubernetesExecutor): Bench {
  return { executor: one, adapt: inTestImage } as unknown as Bench;
}

async function another(more: Parameters<ExecutorSpace["open"]>[0] = {}): Promise<KubernetesExecutor> {
  const one = await space.open(more);
  opened.push(one);
  return one;
}

describe("what keeps a pod from starting", () => {
  test("a missing image: no step begins before all of their images are there, so none has run", async () => {
    const steps = [{ script: "echo first; printf 1 > $RESULTS_PATH/r" }, { name: "later", image: "localhost/no-such:1", script: "true" }];
    const { outcome, texts } = await run(benchOf(executor), makeJob(steps, { ...longer, results: [{ name: "r" }] }));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed", results: [] });
    expect(outcome.message).toContain("localhost/no-such:1");
    expect(texts()).not.toContain("first");
  });

  test("a cancel while it waits is heard at once", async () => {
    const job = makeJob("true", { ...longer, scheduling: { nodeSelector: { "no/such": "node" } } });
    const { handle, finished } = await startUntil(benchOf(executor), job, "no node can run the pod");
    const startedAt = performance.now();
    handle.stop("cancelled", 10_000);
    expect((await finished).outcome).toMatchObject({ status: "cancelled", message: "cancelled before its first step began" });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test("a helper image without a shell is named with the setting", async () => {
    const broken = await another({ helperImage: "localhost/no-helper:1", pendingMs: 6_000 });
    const { outcome } = await run(benchOf(broken), makeJob("true", longer));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
    expect(outcome.message).toContain("localhost/no-helper:1 of the helper");
  });
});

describe("a worker that dies", () => {
  const patient = "echo begun; for i in $(seq 100); do [ -e go ] && break; sleep 0.1; done; echo ended; printf 7 > $RESULTS_PATH/r";

  test("its task is taken over by another worker, which reads all output from the beginning", async () => {
    const first = await another();
    const job = makeJob(patient, { ...longer, results: [{ name: "r" }] });
    const { handle, finished } = await startUntil(benchOf(first), job, "begun");
    handle.stop("shutdown", 0);
    expect((await finished).outcome.message).toContain("the worker was stopped while");
    const second = await run(benchOf(executor), { ...job, attempt: 2, lostAttempts: 1 });
    expect(second.outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "7" }] });
    expect(second.texts()).toEqual(["begun", "ended"]);
    expect(second.outcome.place?.unit).toContain(jobName(job));
  });

  test("a worker that comes back finds that its task has a new owner, and doesn't disturb it", async () => {
    const first = await another();
    const job = makeJob(patient, { ...longer, results: [{ name: "r" }] });
    const { finished } = await startUntil(benchOf(first), job, "begun");
    const second = run(benchOf(executor), { ...job, attempt: 2, lostAttempts: 1 });
    expect((await finished).outcome.message).toContain("another worker took over the Job");
    expect((await second).outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "7" }] });
  });

  test("leftovers of an abandoned attempt are removed, and the task starts over", async () => {
    const first = await another();
    const job = makeJob("echo begun; sleep 1000", longer);
    const { handle } = await startUntil(benchOf(first), job, "begun");
    handle.stop("shutdown", 0);
    const again = await run(benchOf(executor), { ...makeJob("echo again", longer), taskRunId: job.taskRunId, attempt: 2, lostAttempts: 0 });
    expect(again.texts()).toEqual(["again"]);
  });
});

test("Jobs of another installation in the same namespace are left alone", async () => {
  const other = await another({ instance: "other" });
  const job = makeJob("echo begun; sleep 3; echo ended", longer);
  const { finished } = await startUntil(benchOf(other), job, "begun");
  await run(benchOf(executor), { ...makeJob("true", longer), taskRunId: job.taskRunId, attempt: 2, lostAttempts: 1 });
  expect((await finished).texts()).toEqual(["begun", "ended"]);
});

test("secrets are in no object but the Secret", async () => {
  const job = makeJob(
    [{ command: ["sh", "-c", "echo begun; sleep 2", "s3cr3t-argument"], env: [{ name: "TOKEN", value: "s3cr3t-variable" }] }],
    {
      ...longer,
      params: [{ name: "key", value: "s3cr3t-parameter" }],
    },
  );
  const { finished } = await startUntil(benchOf(executor), job, "begun");
  const made = await space.batch.readNamespacedJob({ namespace: space.namespace, name: jobName(job) });
  const pods = await space.core.listNamespacedPod({ namespace: space.namespace });
  expect(JSON.stringify([made, pods])).not.toContain("s3cr3t");
  expect(made.metadata?.annotations?.[ownerAnnotation]).toContain("worker-");
  expect(made.spec?.template.spec?.containers[0]?.image).toBe(helperImage);
  await finished;
});

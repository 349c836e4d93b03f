import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startImageRegistry } from "../../../test/fakes/image-registry.ts";
import { until } from "../../../test/kit/until.ts";
import { type ExecutorSpace, executorSpace, helperImage } from "../../../test/kubernetes/executor-bench.ts";
import type { Job, JobOutcome } from "../../engine/executor.ts";
import { type Finished, makeJob, run, startUntil } from "../exercise/scenario.ts";
import type { KubernetesExecutor } from "./kubernetes-executor.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

/** What goes wrong in and with a cluster: each fault ends with its reason, and leaves nothing. */
let space: ExecutorSpace;
beforeAll(async () => {
  space = await executorSpace();
  return space.remove;
});

const opened: KubernetesExecutor[] = [];
afterEach(async () => {
  for (const executor of opened.splice(0)) await executor.close();
});

/** Steps run in the helper's image, which has all that these need. */
function adapt(job: Job): Job {
  return { ...job, steps: job.steps.map((step) => ({ image: helperImage, pullPolicy: "Never" as const, ...step })) };
}

/** An executor of the test's own, as a bench of the exercise. */
async function openBench(more: Partial<KubernetesExecutorSettings> = {}) {
  const executor = await space.open(more);
  opened.push(executor);
  const none = { files: false, ownMounts: false, loopback: false, network: false, processes: false, memory: false, processCount: false };
  const promises = { ...none, programs: false, workspaceSizes: false, scratchSizes: true, openFiles: true, endsOnShutdown: false };
  return { executor, adapt, promises, privateDir: "", environmentText: "", workspacesDir: "", leftovers: space.leftovers };
}

async function runOnce(job: Job, more: Partial<KubernetesExecutorSettings> = {}): Promise<Finished> {
  return run(await openBench(more), job);
}

async function podOf(job: Job): Promise<string> {
  const labelSelector = `dev.millrace/task-run=${job.taskRunId}`;
  const { items } = await space.core.listNamespacedPod({ namespace: space.namespace, labelSelector });
  return items[0]!.metadata!.name!;
}

const failure = (reason: JobOutcome["reason"]) => ({ status: "failed", reason });
const ready = "echo ready; sleep 1000";

describe("an image", () => {
  test("that is not there is reported with its name, when it may be waited for no longer", async () => {
    const { outcome } = await runOnce(makeJob([{ image: "localhost/no-such:1", pullPolicy: "IfNotPresent", script: "true" }]), {
      pendingMs: 6_000,
    });
    expect(outcome).toMatchObject(failure("ImagePullFailed"));
    expect(outcome.message).toContain("localhost/no-such:1");
  });

  test("that is not there and may not be pulled is reported at once", async () => {
    const { outcome } = await runOnce(makeJob([{ image: "localhost/no-such:1", script: "true" }]));
    expect(outcome).toMatchObject(failure("ImagePullFailed"));
  });

  test("with another digest is refused, and one with the right digest is on record", async () => {
    const registry = await startImageRegistry({ address: space.cluster.hostAddress, tar: space.cluster.helperTar });
    space.cluster.addRegistry("registry.test", registry.url);
    const job = (digest: string) => makeJob([{ image: `registry.test/step@${digest}`, pullPolicy: "IfNotPresent", script: "true" }]);
    const wrong = await runOnce(job(`sha256:${"0".repeat(64)}`), { pendingMs: 6_000 });
    expect(wrong.outcome).toMatchObject(failure("ImagePullFailed"));
    expect(wrong.outcome.message).toContain("sha256:000");
    const right = await runOnce(job(registry.digest));
    expect(right.outcome.status).toBe("succeeded");
    expect(right.outcome.place?.images).toMatchObject([{ digest: registry.digest }]);
    await registry.close();
  });

  test("of a registry that asks who wants it comes with the credentials of the pod template, and not without", async () => {
    const credentials = "puller:s3cr3t";
    const registry = await startImageRegistry({
      address: space.cluster.hostAddress,
      tar: space.cluster.helperTar,
      credentials,
      isClosed: true,
    });
    space.cluster.addRegistry("private.test", registry.url);
    const auths = { "private.test": { auth: Buffer.from(credentials).toString("base64") } };
    const stringData = { ".dockerconfigjson": JSON.stringify({ auths }) };
    const body = { metadata: { name: "puller" }, type: "kubernetes.io/dockerconfigjson", stringData };
    await space.core.createNamespacedSecret({ namespace: space.namespace, body });
    const job = () => makeJob([{ image: "private.test/step:1", pullPolicy: "Always", script: "true" }]);
    const refused = await runOnce(job(), { pendingMs: 6_000 });
    expect(refused.outcome).toMatchObject(failure("ImagePullFailed"));
    expect(JSON.stringify(refused)).not.toContain("s3cr3t");
    const folder = await mkdtemp(join(tmpdir(), "millrace-template-"));
    const podTemplatePath = join(folder, "pod.json");
    await writeFile(podTemplatePath, JSON.stringify({ imagePullSecrets: [{ name: "puller" }] }));
    expect((await runOnce(job(), { podTemplatePath })).outcome.status).toBe("succeeded");
    await rm(folder, { recursive: true });
    await registry.close();
  });
});

describe("a step", () => {
  test("whose command is not there, or may not be executed, is distinguished", async () => {
    const missing = await runOnce(makeJob([{ command: ["no-such-program"] }]));
    expect(missing.outcome).toMatchObject({ ...failure("CommandNotFound"), exitCode: 127 });
    const forbidden = await runOnce(makeJob([{ command: ["/etc/passwd"] }]));
    expect(forbidden.outcome).toMatchObject({ ...failure("ExitCode"), exitCode: 126 });
    expect(forbidden.outcome.message).toContain("could not be executed");
  });

  test("whose result is over the limit fails, and its other results are kept", async () => {
    const script = 'head -c 3000 /dev/zero | tr "\\0" x > "$RESULTS_PATH/big"; printf fine > "$RESULTS_PATH/small"';
    const job = makeJob(script, { results: [{ name: "big" }, { name: "small" }] });
    job.limits.resultBytes = 2_000;
    const { outcome } = await runOnce(job);
    expect(outcome).toMatchObject(failure("ResultTooLarge"));
    expect(outcome.results).toContainEqual({ name: "small", value: "fine" });
  });

  test("that writes one endless line is cut at the limit of output, and goes on", async () => {
    const job = makeJob('yes | tr -d "\\n" | head -c 30000000; echo; echo done > "$RESULTS_PATH/r"', { results: [{ name: "r" }] });
    job.limits.outputBytes = 1_048_576;
    const { outcome, texts } = await runOnce(job);
    expect(outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "done\n" }] });
    const written = texts().reduce((sum, text) => sum + text.length, 0);
    expect(written).toBeLessThanOrEqual(1_048_576);
    expect(written).toBeGreaterThan(900_000);
    expect(texts("system").join()).toMatch(/output/i);
  });

  test("that ignores TERM ends with all its processes after the grace", async () => {
    const script = "trap '' TERM; setsid sh -c \"trap '' TERM; while :; do sleep 1000; done\" & echo ready; while :; do sleep 1000; done";
    const { handle, finished } = await startUntil(await openBench(), makeJob(script), "ready");
    const startedAt = performance.now();
    handle.stop("cancelled", 300);
    expect((await finished).outcome).toMatchObject({ status: "cancelled", reason: "Cancelled" });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe("a quota of the namespace", () => {
  afterEach(() => space.cluster.removeQuota(space.namespace));

  test("that is used up for pods is reported when it was waited for in vain", async () => {
    await space.cluster.setQuota(space.namespace, { pods: "0" });
    const { outcome } = await runOnce(makeJob("true"), { pendingMs: 4_000 });
    expect(outcome).toMatchObject(failure("QuotaExceeded"));
    expect(outcome.message).toContain("exceeded quota");
  });

  test("that is used up for Jobs is waited for, and the wait is on record", async () => {
    await space.cluster.setQuota(space.namespace, { "count/jobs.batch": "0" });
    const { finished } = await startUntil(await openBench(), makeJob("true"), "waits for the cluster");
    await space.cluster.removeQuota(space.namespace);
    const { outcome } = await finished;
    expect(outcome.status).toBe("succeeded");
    await space.cluster.setQuota(space.namespace, { "count/jobs.batch": "0" });
    expect((await runOnce(makeJob("true"), { pendingMs: 1_000 })).outcome).toMatchObject(failure("QuotaExceeded"));
  });
});

describe("a node", () => {
  test("that nobody can use leaves a task unschedulable; one that is free again takes it", async () => {
    await space.cluster.taintNode();
    const { outcome } = await runOnce(makeJob("true"), { pendingMs: 6_000 });
    expect(outcome).toMatchObject(failure("Unschedulable"));
    const { finished } = await startUntil(await openBench(), makeJob("true"), "no node can run the pod");
    await space.cluster.untaintNode();
    const late = await finished;
    expect(late.outcome.status).toBe("succeeded");
    expect(late.outcome.waits?.schedulingMs).toBeGreaterThan(0);
    const elsewhere = makeJob("true", { scheduling: { nodeSelector: { disk: "none-such" } } });
    expect((await runOnce(elsewhere, { pendingMs: 6_000 })).outcome).toMatchObject(failure("Unschedulable"));
  });

  test("that evicts a pod loses the attempt, and the next one starts again", async () => {
    const job = makeJob(ready);
    const { finished } = await startUntil(await openBench(), job, "ready");
    await space.cluster.evictPod(space.namespace, await podOf(job));
    expect((await finished).outcome).toMatchObject({ status: "lost", reason: "Evicted" });
    const again = { ...job, attempt: job.attempt + 1, lostAttempts: 1, steps: makeJob("echo again").steps };
    const { outcome, texts } = await runOnce(again);
    expect([outcome.status, texts()]).toEqual(["succeeded", ["again"]]);
  });

  test.each([
    ["silent for longer than it may be", 1_000],
    ["given up by the cluster before", 600_000],
  ])("that is lost is reported: %s", async (_, nodeLostMs) => {
    const job = makeJob(ready);
    const { finished } = await startUntil(await openBench({ nodeLostMs }), job, "ready");
    // Its node says so up to a second later, and has to have said it to be missed.
    const name = await podOf(job);
    await until(async () => {
      const { status } = await space.core.readNamespacedPod({ namespace: space.namespace, name });
      return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True");
    }, "the pod is ready");
    const { outcome } = await space.cluster.withoutKubelet(async () => {
      const over = await finished;
      // Job and Secrets go at once. The pod is left to the cluster, since its step may still run there, and can be seen to.
      const { namespace, batch, core } = space;
      const labelSelector = "app.kubernetes.io/managed-by=millrace";
      const lists = () =>
        Promise.all([batch.listNamespacedJob({ namespace, labelSelector }), core.listNamespacedSecret({ namespace, labelSelector })]);
      await until(async () => (await lists()).every(({ items }) => items.length === 0), "Job and Secrets are gone");
      const pod = () => core.readNamespacedPod({ namespace, name });
      await until(async () => (await pod()).metadata?.deletionTimestamp !== undefined, "the pod is to go, and is listed");
      return over;
    });
    // A node that was away may never take such a pod off the list (1.20); people who know that nothing runs there any more help it
    // like this.
    await space.core.deleteNamespacedPod({ namespace: space.namespace, name, gracePeriodSeconds: 0 }).catch(() => undefined);
    expect(outcome, outcome.message).toMatchObject({ status: "lost", reason: "NodeLost" });
    expect(outcome.place?.node).toBe(space.cluster.nodeName);
  });
});

describe("an API server", () => {
  const ticks = (count: number) => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo tick $i; sleep 0.5; done`;
  const ticked = (count: number) => Array.from({ length: count }, (_, index) => `tick ${index + 1}`);

  test("that is down for a minute costs neither the task nor a line of its output", async () => {
    const { finished } = await startUntil(await openBench(), makeJob(ticks(150), { timeoutMs: 200_000 }), "tick 3");
    const downAt = performance.now();
    await space.cluster.withoutApi(() => until(() => performance.now() - downAt > 60_000, "a minute", 90_000));
    const { outcome, texts } = await finished;
    expect(outcome).toMatchObject({ status: "succeeded" });
    expect(texts()).toEqual(ticked(150));
  }, 300_000);

  test("that is silent for a while costs neither the task nor a line of its output", async () => {
    const { finished } = await startUntil(await openBench(), makeJob(ticks(60), { timeoutMs: 200_000 }), "tick 3");
    const cutAt = performance.now();
    await space.cluster.withoutNetwork(() => until(() => performance.now() - cutAt > 20_000, "20 s", 40_000));
    const { outcome, texts } = await finished;
    expect(outcome).toMatchObject({ status: "succeeded" });
    expect(texts()).toEqual(ticked(60));
  }, 300_000);

  test("that is away for longer than it may be ends the task, and what runs is removed when it is back", async () => {
    const { finished } = await startUntil(await openBench({ outageMs: 3_000 }), makeJob(ready, { timeoutMs: 200_000 }), "ready");
    const { outcome } = await space.cluster.withoutApi(async () => {
      const over = await finished;
      const overAt = performance.now();
      await until(() => performance.now() - overAt > 15_000, "15 s more, in which nothing can be removed", 30_000);
      return over;
    });
    expect(outcome).toMatchObject(failure("ExecutorUnavailable"));
    expect(await space.leftovers()).toEqual([]);
  }, 200_000);
});

// Once for all of them: the node takes some seconds to take a pod away.
test("nothing is left behind by any of these", async () => {
  expect(await space.leftovers()).toEqual([]);
});

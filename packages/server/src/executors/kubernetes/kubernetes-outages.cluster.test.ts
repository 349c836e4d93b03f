import { describe, expect, test } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { failure, faultBench, readyJob } from "../../../test/kubernetes/fault-bench.ts";
import { makeJob, startUntil } from "../exercise/scenario.ts";

/** The node or the API of the whole cluster is down: no other file runs at the same time. Tests that need the same outage share it. */
const { space, open, podOf, runOnce } = faultBench();

describe("a node", () => {
  test("with a taint leaves the task unschedulable; once the taint is removed, it runs the task", async () => {
    await space().cluster.taintNode();
    const { outcome } = await runOnce(makeJob("true"), { pendingMs: 6_000 });
    expect(outcome).toMatchObject(failure("Unschedulable"));
    const { finished } = await startUntil(await open(), makeJob("true"), "no node can run the pod");
    await space().cluster.untaintNode();
    const late = await finished;
    expect(late.outcome.status).toBe("succeeded");
    expect(late.outcome.waits?.schedulingMs).toBeGreaterThan(0);
    const elsewhere = makeJob("true", { scheduling: { nodeSelector: { disk: "none-such" } } });
    expect((await runOnce(elsewhere, { pendingMs: 6_000 })).outcome).toMatchObject(failure("Unschedulable"));
  });

  test("that is lost is reported: when it was silent for too long, or when the cluster gives it up earlier", async () => {
    const started = await Promise.all(
      [1_000, 600_000].map(async (nodeLostMs) => {
        const job = readyJob();
        const { finished } = await startUntil(await open({ nodeLostMs }), job, "ready");
        return { finished, name: await podOf(job) };
      }),
    );
    const { namespace, batch, core, cluster } = space();
    // The node reports that up to a second later. The cluster only misses its reports after the first one.
    const isReady = async (name: string) => {
      const { status } = await core.readNamespacedPod({ namespace, name });
      return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
    };
    for (const { name } of started) await until(() => isReady(name), "the pod is ready");
    const outcomes = await cluster.withoutKubelet(async () => {
      const over = await Promise.all(started.map(({ finished }) => finished));
      // Job and Secrets are removed at once. The pods are left to the cluster, since their steps may still run there, and remain visible.
      const labelSelector = "app.kubernetes.io/managed-by=millrace";
      const lists = () =>
        Promise.all([batch.listNamespacedJob({ namespace, labelSelector }), core.listNamespacedSecret({ namespace, labelSelector })]);
      await until(async () => (await lists()).every(({ items }) => items.length === 0), "Job and Secrets are gone");
      const isToGo = async (name: string) => (await core.readNamespacedPod({ namespace, name })).metadata?.deletionTimestamp !== undefined;
      for (const { name } of started) await until(() => isToGo(name), "the pod is to go, and is listed");
      return over.map(({ outcome }) => outcome);
    });
    // If the node was down, the cluster (1.20) may never delete such a pod. People who know that nothing runs there any more delete it like
    // this.
    for (const { name } of started) await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 }).catch(() => undefined);
    for (const outcome of outcomes) {
      expect(outcome, outcome.message).toMatchObject({ status: "lost", reason: "NodeLost" });
      expect(outcome.place?.node).toBe(cluster.nodeName);
    }
  });
});

describe("an API server", () => {
  const ticks = (count: number) => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo tick $i; sleep 0.5; done`;
  const ticked = (count: number) => Array.from({ length: count }, (_, index) => `tick ${index + 1}`);

  // One executor waits that long, the other one does not: what the latter left running is removed when the API is back.
  test("that is down for a minute loses no line of a task that may wait for it, and ends a task that may not", async () => {
    const [patient, hasty] = [await open(), await open({ outageMs: 3_000 })];
    const [ticking, given] = await Promise.all([
      startUntil(patient, makeJob(ticks(150), { timeoutMs: 200_000 }), "tick 3"),
      startUntil(hasty, readyJob({ timeoutMs: 200_000 }), "ready"),
    ]);
    const downAt = performance.now();
    const gaveUp = await space().cluster.withoutApi(async () => {
      const over = await given.finished;
      // For the rest of the minute, none of its objects can be removed.
      await until(() => performance.now() - downAt > 60_000, "a minute", 90_000);
      return over;
    });
    expect(gaveUp.outcome).toMatchObject(failure("ExecutorUnavailable"));
    const { outcome, texts } = await ticking.finished;
    expect(outcome).toMatchObject({ status: "succeeded" });
    expect(texts()).toEqual(ticked(150));
    expect(await space().leftovers()).toEqual([]);
  }, 300_000);

  test("that doesn't respond for a while costs neither the task nor a line of its output", async () => {
    const { finished } = await startUntil(await open(), makeJob(ticks(60), { timeoutMs: 200_000 }), "tick 3");
    const cutAt = performance.now();
    await space().cluster.withoutNetwork(() => until(() => performance.now() - cutAt > 20_000, "20 s", 40_000));
    const { outcome, texts } = await finished;
    expect(outcome).toMatchObject({ status: "succeeded" });
    expect(texts()).toEqual(ticked(60));
  }, 300_000);
});

// Checked once for all tests: the node takes some seconds to remove a pod.
test("nothing is left behind by any of these", async () => {
  expect(await space().leftovers()).toEqual([]);
});

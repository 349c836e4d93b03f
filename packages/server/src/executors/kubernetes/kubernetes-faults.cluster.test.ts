import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startImageRegistry } from "../../../test/fakes/image-registry.ts";
import { failure, faultBench, readyJob } from "../../../test/kubernetes/fault-bench.ts";
import { makeJob, startUntil } from "../exercise/scenario.ts";

/** Faults of a cluster that affect one task: each ends with its reason, and leaves nothing behind. */
const { space, open, podOf, runOnce } = faultBench();

describe("an image", () => {
  test("that is missing is reported with its name when the time to wait for it is over", async () => {
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

  test("with a different digest is refused; the right digest is recorded", async () => {
    const registry = await startImageRegistry({ address: space().cluster.hostAddress, tar: space().cluster.helperTar });
    space().cluster.addRegistry("registry.test", registry.url);
    const job = (digest: string) => makeJob([{ image: `registry.test/step@${digest}`, pullPolicy: "IfNotPresent", script: "true" }]);
    const wrong = await runOnce(job(`sha256:${"0".repeat(64)}`), { pendingMs: 6_000 });
    expect(wrong.outcome).toMatchObject(failure("ImagePullFailed"));
    expect(wrong.outcome.message).toContain("sha256:000");
    const right = await runOnce(job(registry.digest));
    expect(right.outcome.status).toBe("succeeded");
    expect(right.outcome.place?.images).toMatchObject([{ digest: registry.digest }]);
    await registry.close();
  });

  test("of a private registry is pulled with the credentials of the pod template, and not without", async () => {
    const credentials = "puller:s3cr3t";
    const registry = await startImageRegistry({
      address: space().cluster.hostAddress,
      tar: space().cluster.helperTar,
      credentials,
      isClosed: true,
    });
    space().cluster.addRegistry("private.test", registry.url);
    const auths = { "private.test": { auth: Buffer.from(credentials).toString("base64") } };
    const stringData = { ".dockerconfigjson": JSON.stringify({ auths }) };
    const body = { metadata: { name: "puller" }, type: "kubernetes.io/dockerconfigjson", stringData };
    await space().core.createNamespacedSecret({ namespace: space().namespace, body });
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
  test("with a missing command is distinguished from one whose command can't be executed", async () => {
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

  test("that writes an endless line has its output cut at the limit, and continues", async () => {
    const job = makeJob('yes | tr -d "\\n" | head -c 30000000; echo; echo done > "$RESULTS_PATH/r"', { results: [{ name: "r" }] });
    job.limits.outputBytes = 1_048_576;
    const { outcome, texts } = await runOnce(job);
    expect(outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "done\n" }] });
    const written = texts().reduce((sum, text) => sum + text.length, 0);
    expect(written).toBeLessThanOrEqual(1_048_576);
    expect(written).toBeGreaterThan(900_000);
    expect(texts("system").join()).toMatch(/output/i);
  });

  test("that ignores TERM is killed with all its processes after the grace period", async () => {
    const script = "trap '' TERM; setsid sh -c \"trap '' TERM; while :; do sleep 1000; done\" & echo ready; while :; do sleep 1000; done";
    const { handle, finished } = await startUntil(await open(), makeJob(script), "ready");
    const startedAt = performance.now();
    handle.stop("cancelled", 300);
    expect((await finished).outcome).toMatchObject({ status: "cancelled", reason: "Cancelled" });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe("a quota of the namespace", () => {
  afterEach(() => space().cluster.removeQuota(space().namespace));

  test("that is used up for pods is reported when the time to wait for it is over", async () => {
    await space().cluster.setQuota(space().namespace, { pods: "0" });
    const { outcome } = await runOnce(makeJob("true"), { pendingMs: 4_000 });
    expect(outcome).toMatchObject(failure("QuotaExceeded"));
    expect(outcome.message).toContain("exceeded quota");
  });

  test("that is used up for Jobs is waited for, and the wait is recorded", async () => {
    await space().cluster.setQuota(space().namespace, { "count/jobs.batch": "0" });
    const { finished } = await startUntil(await open(), makeJob("true"), "waits for the cluster");
    await space().cluster.removeQuota(space().namespace);
    const { outcome } = await finished;
    expect(outcome.status).toBe("succeeded");
    await space().cluster.setQuota(space().namespace, { "count/jobs.batch": "0" });
    expect((await runOnce(makeJob("true"), { pendingMs: 1_000 })).outcome).toMatchObject(failure("QuotaExceeded"));
  });
});

test("a node that evicts a pod loses the attempt, and the next one starts again", async () => {
  const job = readyJob();
  const { finished } = await startUntil(await open(), job, "ready");
  await space().cluster.evictPod(space().namespace, await podOf(job));
  expect((await finished).outcome).toMatchObject({ status: "lost", reason: "Evicted" });
  const again = { ...job, attempt: job.attempt + 1, lostAttempts: 1, steps: makeJob("echo again").steps };
  const { outcome, texts } = await runOnce(again);
  expect([outcome.status, texts()]).toEqual(["succeeded", ["again"]]);
});

// Checked once for all tests: the node takes some seconds to remove a pod.
test("nothing is left behind by any of these", async () => {
  expect(await space().leftovers()).toEqual([]);
});

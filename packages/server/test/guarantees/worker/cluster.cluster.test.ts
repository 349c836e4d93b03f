import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { BatchV1Api, CoreV1Api, Exec, KubeConfig, type V1Job, type V1PodSpec } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startImageRegistry } from "../../fakes/image-registry.ts";
import { testCluster, testNamespace } from "../../kit/start/test-cluster.ts";
import { until } from "../../kit/until.ts";

/** The cluster itself, as far as other tests depend on it: a failure here says nothing about the product. */
const cluster = testCluster();
const core = cluster.config.makeApiClient(CoreV1Api);
const batch = cluster.config.makeApiClient(BatchV1Api);
let namespace: string;
beforeAll(async () => {
  const own = await testNamespace(cluster);
  namespace = own.name;
  return own.remove;
});

const image = "localhost/millrace-helper:1";

function makeJob(name: string, command: string, more: Partial<V1PodSpec> = {}): V1Job {
  const container = { name: "step", image, imagePullPolicy: "Never", command: ["sh", "-c", command], ...more.containers?.[0] };
  const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 1, ...more, containers: [container] };
  return { metadata: { name }, spec: { backoffLimit: 0, template: { spec } } };
}

async function startJob(job: V1Job): Promise<void> {
  await batch.createNamespacedJob({ namespace, body: job });
}

async function removeJob(name: string): Promise<void> {
  await batch.deleteNamespacedJob({ namespace, name, propagationPolicy: "Background" });
}

async function podOf(job: string) {
  const { items } = await core.listNamespacedPod({ namespace, labelSelector: `job-name=${job}` });
  return items[0];
}

async function runJob(job: V1Job) {
  await startJob(job);
  const name = job.metadata!.name!;
  await until(async () => ["Succeeded", "Failed"].includes((await podOf(name))?.status?.phase ?? ""), `the end of ${name}`);
  const pod = (await podOf(name))!;
  const log = await core.readNamespacedPodLog({ namespace, name: pod.metadata!.name! });
  return { pod, end: pod.status!.containerStatuses![0]!.state!.terminated!, log };
}

async function untilRunning(job: string): Promise<string> {
  await until(async () => (await podOf(job))?.status?.containerStatuses?.[0]?.state?.running !== undefined, `${job} runs`);
  return (await podOf(job))!.metadata!.name!;
}

async function execute(pod: string, command: string[]): Promise<string> {
  const output = new PassThrough();
  const all = text(output);
  await new Promise<void>((resolve, reject) => {
    const exec = new Exec(cluster.config);
    exec.exec(namespace, pod, "step", command, output, process.stderr, null, false, () => resolve()).catch(reject);
  });
  output.end();
  return all;
}

describe("the test cluster", () => {
  test("runs a job and returns its output and exit code", async () => {
    const { end, log } = await runJob(makeJob("exit", "echo out; echo err >&2; exit 3"));
    expect(end.exitCode).toBe(3);
    expect(log.split("\n").sort()).toEqual(["", "err", "out"]);
  });

  test("distinguishes running out of memory", async () => {
    const command = "head -c 100000000 /dev/zero | tail";
    const { end } = await runJob(makeJob("memory", command, { containers: [{ name: "step", resources: { limits: { memory: "32Mi" } } }] }));
    expect(end).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
  });

  test("executes commands in a container that runs, with its input and output", async () => {
    await startJob(makeJob("execute", "touch /tmp/there; sleep 600"));
    const pod = await untilRunning("execute");
    expect(await execute(pod, ["sh", "-c", "ls /tmp; seq 1 100000 | tail -n 1"])).toBe("there\n100000\n");
    await core.deleteNamespacedPod({ namespace, name: pod });
  });

  test("binds a claim to a volume that the pod's group can write, and keeps its content", async () => {
    const spec = { storageClassName: "millrace-test", accessModes: ["ReadWriteMany"], resources: { requests: { storage: "1Gi" } } };
    await core.createNamespacedPersistentVolumeClaim({ namespace, body: { metadata: { name: "claim" }, spec } });
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "claim" } }];
    const securityContext = { runAsUser: 20000, runAsGroup: 20000, fsGroup: 20000 };
    const containers = [{ name: "step", volumeMounts: [{ name: "data", mountPath: "/data" }] }];
    const more = { volumes, securityContext, containers };
    expect((await runJob(makeJob("write", "echo kept > /data/file", more))).end.exitCode).toBe(0);
    expect((await runJob(makeJob("read", "cat /data/file", more))).log).toBe("kept\n");
  });

  test("pulls from a registry of a test's own, and says when that has another digest", async () => {
    const registry = await startImageRegistry({ address: cluster.hostAddress, tar: cluster.helperTar });
    cluster.addRegistry("registry.test", registry.url);
    const pull = (image: string): Partial<V1PodSpec> => ({ containers: [{ name: "step", image, imagePullPolicy: "Always" }] });
    expect((await runJob(makeJob("pull", "exit 4", pull("registry.test/step:1")))).end.exitCode).toBe(4);
    // A node that already has this content, from an earlier test, requests only its digest.
    expect(registry.requests.filter((line) => line.includes("/manifests/"))).not.toEqual([]);
    await startJob(makeJob("digest", "true", pull(`registry.test/step@sha256:${"0".repeat(64)}`)));
    const isRefused = async () => (await podOf("digest"))?.status?.containerStatuses?.[0]?.state?.waiting?.reason === "ErrImagePull";
    await until(isRefused, "the digest is not found");
    await removeJob("digest");
    await registry.close();
  });

  test("gives an account a token with no more rights than it has", async () => {
    const config = new KubeConfig();
    config.loadFromFile(await cluster.kubeconfigFor({ namespace, name: "default" }));
    const refused = config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
    await expect(refused).rejects.toMatchObject({ code: 403 });
  });

  test("is reached from its pods at the service kubernetes, and they reach this machine", async () => {
    const command = `nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT < /dev/null && ping -c 1 -w 5 ${cluster.hostAddress} > /dev/null`;
    expect((await runJob(makeJob("reach", command))).end.exitCode).toBe(0);
  });

  test("enforces the quota of a namespace", async () => {
    await cluster.setQuota(namespace, { "count/jobs.batch": "0" });
    await expect(startJob(makeJob("refused", "true"))).rejects.toMatchObject({ code: 403 });
    await cluster.removeQuota(namespace);
  });

  test("evicts a pod", async () => {
    await startJob(makeJob("evicted", "sleep 600"));
    const pod = await untilRunning("evicted");
    await cluster.evictPod(namespace, pod);
    const isGone = () =>
      core.readNamespacedPod({ namespace, name: pod }).then(
        () => false,
        ({ code }) => code === 404,
      );
    await until(isGone, "the pod is gone");
    await removeJob("evicted");
  });

  test("keeps pods off a node with a taint until it is removed", async () => {
    await cluster.taintNode();
    await startJob(makeJob("kept-off", "sleep 600"));
    const isRefused = async () => (await podOf("kept-off"))?.status?.conditions?.some(({ reason }) => reason === "Unschedulable");
    await until(isRefused, "no node takes it");
    await cluster.untaintNode();
    await untilRunning("kept-off");
    await removeJob("kept-off");
  });
});

describe("a cluster in trouble", () => {
  afterAll(() => cluster.untaintNode());

  test("whose API is down keeps running, and is unchanged when it is back", async () => {
    // It continues only when it was seen: under load, a node may report that a short container ran only after it has ended.
    await startJob(makeJob("survives", "while [ ! -e /tmp/go ]; do sleep 0.1; done; sleep 3; exit 5"));
    await execute(await untilRunning("survives"), ["touch", "/tmp/go"]);
    await cluster.withoutApi(() => expect(core.listNamespacedPod({ namespace })).rejects.toThrow(/ECONNREFUSED/));
    await until(async () => (await podOf("survives"))?.status?.phase === "Failed", "the end of survives");
    expect((await podOf("survives"))!.status!.containerStatuses![0]!.state!.terminated!.exitCode).toBe(5);
  });

  test("that can't be reached neither answers nor refuses until it can again", async () => {
    const { hostname, port } = new URL(cluster.config.getCurrentCluster()!.server);
    const asked = await cluster.withoutNetwork(async () => {
      const socket = connect({ host: hostname, port: Number(port || 443), timeout: 500 });
      const end = await Promise.race(["connect", "error", "timeout"].map((name) => once(socket, name).then(() => name)));
      expect(end).toBe("timeout");
      socket.destroy();
      return { answer: core.listNamespacedPod({ namespace }) };
    });
    await asked.answer;
  });

  test("whose node is lost says so and takes its pods off it", async () => {
    await startJob(makeJob("lost", "sleep 600"));
    const pod = await untilRunning("lost");
    const isTakenOff = async () => (await core.readNamespacedPod({ namespace, name: pod })).metadata?.deletionTimestamp !== undefined;
    await cluster.withoutKubelet(() => until(isTakenOff, "the pod is to go", 120_000));
    await removeJob("lost");
  }, 300_000);
});

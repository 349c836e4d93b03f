import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { AppsV1Api, CoreV1Api, KubernetesObjectApi, type V1Deployment } from "@kubernetes/client-node";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { addressOptions } from "../../../src/store/database/database-address.ts";
import { buildServiceImage, type ServiceImage } from "../../kit/container/service-image.ts";
import { emptyDatabase, type TestDatabase } from "../../kit/database.ts";
import { testCluster, testNamespace } from "../../kit/start/test-cluster.ts";
import { isRequiredTier } from "../../kit/suite/test-tier.ts";
import { until } from "../../kit/until.ts";

/** The chart in a real cluster: the API server accepts its objects, and the shipped image and a run work in it. */
const cluster = testCluster();
const objects = KubernetesObjectApi.makeApiClient(cluster.config);
const core = cluster.config.makeApiClient(CoreV1Api);
const apps = cluster.config.makeApiClient(AppsV1Api);

type Manifest = Parameters<typeof objects.create>[0] & { metadata: { name: string } };

/** The version of the cluster has disruption budgets only as a beta, with the same members. */
function read(text: string): Manifest[] {
  const older = text.replaceAll("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n");
  return parseAllDocuments(older).map((document) => document.toJS() as Manifest);
}

const manifests = () => read(readFileSync(join(repositoryRoot, "deploy/kubernetes/millrace.yaml"), "utf8"));

async function ensureNamespaces(): Promise<void> {
  for (const name of ["millrace", "millrace-tasks"]) await core.createNamespace({ body: { metadata: { name } } }).catch(() => undefined);
}

async function removeNamespaces(): Promise<void> {
  for (const name of ["millrace", "millrace-tasks"]) await core.deleteNamespace({ name });
}

/** Pods reach the database of the tests at the address of this machine. */
async function openDatabaseTo({ address }: TestDatabase): Promise<string> {
  const { path, host, port, user = "", password = "", database = "" } = addressOptions(address);
  const target = path === undefined ? { host: String([host].flat()[0] ?? "127.0.0.1"), port: Number(port ?? 5432) } : { path };
  const server = createServer((client) => {
    const upstream = connect(target);
    client.pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
  }).listen(0, cluster.hostAddress);
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as { port: number };
  return `postgres://${encodeURIComponent(String(user))}:${encodeURIComponent(String(password))}@${cluster.hostAddress}:${own}/${database}`;
}

async function importImage({ engine, name }: ServiceImage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-export-"));
  try {
    const tar = join(folder, "image.tar");
    const container = await engine.docker.createContainer({ Image: name });
    await pipeline(await container.export(), createWriteStream(tar));
    const { Env, User, WorkingDir, Entrypoint, Cmd } = (await engine.docker.getImage(name).inspect()).Config;
    const program = [Entrypoint, Cmd].flat().filter((word) => word !== undefined);
    await cluster.importImage(tar, `docker.io/library/${name}`, { Env, User, WorkingDir, Entrypoint: program });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For a run, and for other responses with an ID. */
interface ApiAnswer {
  id: string;
  status: string;
  tasks: { name: string; status: string; attempts?: { attempt: number; status: string; isolation: string }[] }[];
}

async function callApi(address: string, token: string, path: string, body?: object): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const answer = await fetch(`http://${address}:8080${path}`, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as ApiAnswer;
}

async function waitForReady(name: string): Promise<void> {
  const isReady = async () => (await apps.readNamespacedDeployment({ namespace: "millrace", name })).status?.readyReplicas === 2;
  await until(isReady, `${name} is ready`, 240_000).catch(async (error: Error) => {
    const { items } = await core.listNamespacedPod({ namespace: "millrace" });
    const states = items.map(({ metadata, status }) => `${metadata?.name}: ${JSON.stringify(status?.containerStatuses ?? status)}`);
    const pod = items.find(({ metadata }) => metadata?.name?.startsWith(name))?.metadata?.name;
    const log = pod && (await core.readNamespacedPodLog({ namespace: "millrace", name: pod, tailLines: 20 }).catch(String));
    throw new Error([error.message, ...states, log].join("\n"));
  });
}

test("with the manifests as they are but for what pods ask for, the sample succeeds in a sandbox, and nothing fails while all pods are replaced", {
  timeout: 1_200_000,
}, async ({ skip }) => {
  const built = await buildServiceImage();
  if ("why" in built) {
    if (isRequiredTier("container")) expect.fail(built.why);
    return skip(built.why);
  }
  onTestFinished(() => built.close());
  await importImage(built);
  await cluster.importImage(cluster.helperTar, "docker.io/library/busybox:1.37-musl");
  await ensureNamespaces();
  onTestFinished(removeNamespaces);
  const token = randomBytes(32).toString("hex");
  const url = await openDatabaseTo(await emptyDatabase());
  const stringData = { "database-url": url, "encryption-key": randomBytes(32).toString("hex"), "admin-token": token };
  await core.createNamespacedSecret({ namespace: "millrace", body: { metadata: { name: "millrace" }, stringData } });
  for (const manifest of manifests().filter(({ kind }) => kind !== "Namespace")) {
    // Two pods each, and one more during an update: a small machine can't provide the resources that they request.
    if (manifest.kind === "Deployment") (manifest as V1Deployment).spec!.template.spec!.containers[0]!.resources!.requests = { cpu: "10m" };
    await objects.create(manifest);
  }
  for (const name of deployments) await waitForReady(name);

  const address = (await readyAddresses())[0]!;
  const team = "/api/v2/team/getting-started";
  const { id } = await callApi(address, token, `${team}/workflow/hello-chain/submit?start=true`, {});
  const run = await callApi(address, token, `${team}/workflowrun/${id}?wait=120s`);
  expect(run.status).toBe("succeeded");
  const attempts = run.tasks.flatMap((task) => task.attempts ?? []);
  expect(new Set(attempts.map(({ isolation }) => isolation))).toEqual(new Set(["bubblewrap-no-proc"]));

  await callApi(address, token, `${team}/workflow`, twoSteps);
  const ids: string[] = [];
  let areReplaced = false;
  const submitting = (async () => {
    while (!areReplaced) {
      // Like the Service: any ready pod.
      const addresses = await readyAddresses();
      const run = await callApi(addresses[ids.length % addresses.length]!, token, `${team}/workflow/two-steps/submit`, {});
      ids.push(run.id);
      await callApi(addresses[0]!, token, `${team}/workflowrun/${run.id}?wait=1s`);
    }
  })();
  for (const name of deployments) await restart(name);
  for (const name of deployments) await waitForReplaced(name);
  areReplaced = true;
  await submitting;
  const newAddress = (await readyAddresses())[0]!;
  expect(newAddress).not.toBe(address);
  for (const run of ids) {
    const { status, tasks } = await callApi(newAddress, token, `${team}/workflowrun/${run}?wait=120s`);
    expect([run, status, tasks.flatMap((task) => (task.attempts ?? []).map((attempt) => attempt.attempt))]).toEqual([
      run,
      "succeeded",
      [1, 1],
    ]);
  }
});

const deployments = ["api", "engine", "worker"].map((component) => `millrace-${component}`);
const twoSteps = { name: "two-steps", tasks: [step("first"), step("second", ["first"])] };

function step(name: string, dependsOn: string[] = []): object {
  const params = [{ name: "script", value: "sleep 3" }];
  return { name, type: "script", taskRef: "execute-shell", params, dependencies: dependsOn.map((taskRef) => ({ taskRef })) };
}

/** The pods of the API to which the Service sends requests. */
async function readyAddresses(): Promise<string[]> {
  const { subsets } = await core.readNamespacedEndpoints({ namespace: "millrace", name: "millrace" });
  return (subsets ?? []).flatMap(({ addresses }) => addresses ?? []).map(({ ip }) => ip);
}

/** As `kubectl rollout restart` does. */
async function restart(name: string): Promise<void> {
  const { spec } = await apps.readNamespacedDeployment({ namespace: "millrace", name });
  spec!.template.metadata!.annotations = { "kubectl.kubernetes.io/restartedAt": new Date().toISOString() };
  await objects.patch({ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "millrace", name }, spec } as Manifest);
}

/** Waits until none of the old pods is left, which for workers takes as long as their tasks. */
async function waitForReplaced(name: string): Promise<void> {
  const isReplaced = async () => {
    const { metadata, status } = await apps.readNamespacedDeployment({ namespace: "millrace", name });
    if (status?.observedGeneration !== metadata?.generation) return false;
    const { updatedReplicas, replicas, readyReplicas } = status ?? {};
    if (updatedReplicas !== 2 || replicas !== 2 || readyReplicas !== 2) return false;
    const { items } = await core.listNamespacedPod({
      namespace: "millrace",
      labelSelector: `app.kubernetes.io/component=${name.split("-")[1]}`,
    });
    return items.length === 2;
  };
  await until(isReplaced, `${name} is replaced`, 300_000);
}

const hasHelm = spawnSync("helm", ["version"]).status === 0;

test.skipIf(!hasHelm)("the API server takes what the chart renders to with an ingress, autoscaling and no pods for tasks", async () => {
  const namespace = await testNamespace(cluster);
  onTestFinished(namespace.remove);
  const values = [
    "publicUrl=https://m.example.com",
    "ingress.enabled=true",
    "ingress.tlsSecretName=tls",
    "worker.autoscaling.kind=hpa",
    "worker.executors=process",
    "settings.MILLRACE_LOG_LEVEL=debug",
  ];
  const options = ["--namespace", namespace.name, "--kube-version", "1.20.2", ...values.flatMap((value) => ["--set", value])];
  const text = execFileSync("helm", ["template", "millrace", join(repositoryRoot, "deploy/helm/millrace"), ...options], {
    encoding: "utf8",
  });
  const rendered = read(text);
  // Helm itself runs hooks before the rest.
  expect(rendered.map(({ kind }) => kind)).toContain("Job");
  expect(rendered.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Ingress", "HorizontalPodAutoscaler"]));
  expect(rendered.map(({ kind }) => kind)).not.toContain("Role");
  for (const manifest of rendered) await objects.create(manifest, undefined, "All");
});

import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { createKubernetesExecutor, neededRights } from "./kubernetes-executor.ts";

test("the manifest gives the rights that are asked for at the start, and no others", () => {
  const text = readFileSync(join(repositoryRoot, "deploy/kubernetes/executor-rbac.yaml"), "utf8");
  const documents = parseAllDocuments(text).map((document) => document.toJS() as { kind: string; rules?: Record<string, string[]>[] });
  const rules = documents.find(({ kind }) => kind === "Role")?.rules ?? [];
  const given = rules.map(({ apiGroups, resources, verbs }) => ({ group: apiGroups?.[0], resource: resources?.[0], verbs }));
  expect(given).toEqual(neededRights);
  expect(documents.map(({ kind }) => kind)).not.toContain("ClusterRole");
});

test("a slow poll of the cluster never overlaps with the next", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-slow-"));
  let inProgress = 0;
  let most = 0;
  let answered = 0;
  // An API server that takes five times the pause between checks to report its version, and refuses everything else.
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/version")) return void response.writeHead(503).end();
    most = Math.max(most, ++inProgress);
    setTimeout(() => {
      inProgress--;
      answered++;
      response.writeHead(503).end();
    }, 100);
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{ name: "c", cluster: { server: address, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "tasks" } }],
    "current-context": "x",
  };
  const configPath = join(folder, "config");
  await writeFile(configPath, JSON.stringify(config));
  const executor = await createKubernetesExecutor({
    instance: "i",
    owner: "o",
    configPath,
    outbound: {
      policy: { facts: async () => ({ privateNetworks: true, allow: [], machine: [], guarded: [] }), resolve: async () => [] },
      allowsHostNetwork: false,
    },
    imageRules: { registries: ["*"], localImages: [] },
    helperImage: "helper",
    accessMode: "ReadWriteOnce",
    pendingMs: 1_000,
    graceMs: 1_000,
    orphanMs: 20,
    log: { info: () => undefined, warn: () => undefined },
  });
  onTestFinished(async () => {
    await executor.close();
    server.close();
    await rm(folder, { recursive: true });
  });
  await expect.poll(() => answered).toBeGreaterThan(4);
  expect(most).toBe(1);
});

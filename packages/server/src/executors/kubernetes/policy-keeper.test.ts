import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { OutboundRuleSettings } from "../networks/outbound-rule.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { closedObject, outboundName } from "./outbound-object.ts";
import { PolicyKeeper } from "./policy-keeper.ts";

/** A stand-in for an API server that stores one NetworkPolicy, and checks versions as strictly as a real one. */
let server: Server;
let folder: string;
let cluster: Cluster;
let kept: V1NetworkPolicy | undefined;
let closedPolicy: V1NetworkPolicy | undefined;
let version = 0;
let refusal: number | undefined;
const paths: string[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const fail = (code: number, reason: string): void => answer(code, { kind: "Status", code, reason, message: `refused: ${reason}` });
    const body = request.method === "GET" ? undefined : ((await json(request)) as V1NetworkPolicy);
    const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: "10.0.0.77:6443" }];
    if (/^\/api\/?$/.test(request.url ?? "")) return answer(200, { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs });
    const ofNone = closedObject("here").metadata?.name ?? "";
    if (refusal === undefined && (request.url?.endsWith(ofNone) || body?.metadata?.name === ofNone)) {
      closedPolicy ??= body;
      return closedPolicy ? answer(200, closedPolicy) : fail(404, "NotFound");
    }
    if (refusal !== undefined) return fail(refusal, refusal === 403 ? "Forbidden" : "Conflict");
    if (body === undefined) return kept ? answer(200, kept) : fail(404, "NotFound");
    if (request.method === "PUT" && body.metadata?.resourceVersion !== String(version)) return fail(409, "Conflict");
    version++;
    kept = { ...body, metadata: { ...body.metadata, resourceVersion: String(version) } };
    answer(200, kept);
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  folder = await mkdtemp(join(tmpdir(), "millrace-outbound-"));
  const configPath = join(folder, "config");
  const named = (name: string, what: string, value: object) => [{ name, [what]: value }];
  const config = {
    clusters: named("c", "cluster", {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      "insecure-skip-tls-verify": true,
    }),
    users: named("u", "user", {}),
    contexts: named("x", "context", { cluster: "c", user: "u", namespace: "tasks" }),
    "current-context": "x",
  };
  await writeFile(configPath, JSON.stringify(config));
  cluster = await openCluster({ configPath });
});
afterAll(async () => {
  cluster.close();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  kept = closedPolicy = undefined;
  refusal = undefined;
});

function keeper(facts: Partial<OutboundRuleSettings>): PolicyKeeper {
  const policy = {
    facts: async () => ({ privateNetworks: true, allow: [], machine: [], guarded: [], ...facts }),
    resolve: async (name: string) => [name],
  };
  return new PolicyKeeper(cluster, { instance: "here", outbound: { policy, allowsHostNetwork: false } });
}
const closed = (): readonly string[] => kept?.spec?.egress?.at(-1)?.to?.[0]?.ipBlock?.except ?? [];

test("the policy is created with the addresses that this worker knows, and another worker adds its own", async () => {
  const first = keeper({ machine: ["10.0.0.1"], guarded: [{ what: "the database", addresses: ["10.0.0.5"], port: 5432 }] });
  expect(first.problemOf("outbound")).toContain("not created yet");
  await first.look();
  expect(first.problemOf("outbound")).toBeUndefined();
  expect(paths).toContain("POST /apis/networking.k8s.io/v1/namespaces/tasks/networkpolicies");
  expect(kept?.metadata?.name).toBe(outboundName("here"));
  expect(closed()).toEqual(expect.arrayContaining(["10.0.0.1/32", "10.0.0.5/32", "127.0.0.1/32", "169.254.169.254/32"]));
  const second = keeper({ machine: ["10.0.0.2"] });
  await second.look();
  expect(second.problemOf("outbound")).toBeUndefined();
  expect(closed()).toEqual(expect.arrayContaining(["10.0.0.1/32", "10.0.0.2/32", "10.0.0.5/32"]));
});

test("the API server is also closed by its own address, since the address of a service is replaced before policies apply", async () => {
  await keeper({}).look();
  expect(closed()).toContain("10.0.0.77/32");
});

test("a cluster that refuses the policy is reported until it accepts; one with an older policy continues", async () => {
  refusal = 403;
  const one = keeper({});
  await one.look();
  expect(one.problemOf("outbound")).toContain("not created yet");
  expect(one.problemOf("outbound")).toContain("Forbidden");
  refusal = undefined;
  await one.look();
  expect(one.problemOf("outbound")).toBeUndefined();
  refusal = 409;
  await one.look();
  expect(one.problemOf("outbound")).toBeUndefined();
});

test("pods without a network have a policy of their own, which is made again when it is gone", async () => {
  refusal = 403;
  const one = keeper({});
  await one.look();
  expect(one.problemOf("none")).toContain("Forbidden");
  expect(one.problemOf("host")).toBeUndefined();
  refusal = undefined;
  await one.look();
  expect([...one.problems]).toEqual([]);
  expect(closedPolicy).toMatchObject({
    spec: { podSelector: { matchLabels: { "dev.millrace/network": "none" } }, policyTypes: ["Ingress", "Egress"] },
  });
  closedPolicy = undefined;
  await one.look();
  expect(closedPolicy).toBeDefined();
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { settings } from "../../../src/config/settings.ts";

/** What can be checked of the files under deploy/ without a cluster, an engine or a service manager. */
const read = (name: string) => readFileSync(join(repositoryRoot, "deploy", name), "utf8");

interface KubernetesObject {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: unknown;
  spec?: { template?: { spec: PodSpec } };
}
interface PodSpec {
  securityContext: object;
  containers: { env: { name: string; value?: string }[]; securityContext: object }[];
}
const objectsOf = (name: string) => parseAllDocuments(read(name)).map((document) => document.toJS() as KubernetesObject);

const manifests = objectsOf("kubernetes/millrace.yaml");
const podSpecs = manifests.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec!.template!.spec);

test("the chart gives the executor the rights and policies of executor-rbac.yaml, and no others", () => {
  const expected = objectsOf("kubernetes/executor-rbac.yaml").filter(({ kind }) => kind === "Role" || kind === "NetworkPolicy");
  const found = manifests.filter(({ kind, metadata }) => kind === "Role" || metadata.namespace === "millrace-tasks");
  expect(found.filter(({ kind }) => kind !== "RoleBinding")).toEqual(expect.arrayContaining(expected));
  expect(found.filter(({ kind }) => kind === "Role")).toHaveLength(1);
  expect(manifests.filter(({ kind }) => kind.startsWith("ClusterRole"))).toEqual([]);
});

test("every pod runs without root, without rights, on a read-only root file system", () => {
  expect(podSpecs).toHaveLength(3);
  for (const { securityContext, containers } of podSpecs) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const container of containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  }
});

test("the manifests and the Compose files contain no secret, and only settings that exist", () => {
  expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  const env = podSpecs.flatMap(({ containers }) => containers.flatMap((container) => container.env));
  for (const { name, value } of env) {
    expect(Object.values(settings).map((setting) => setting.name)).toContain(name);
    if (/TOKEN|KEY|DATABASE/.test(name)) expect(value).toBeUndefined();
  }
  for (const file of ["docker/compose.yaml", "docker/compose.workers.yaml"])
    for (const [, value] of read(file).matchAll(/(?:PASSWORD|KEY): (.*)$/gm)) expect(value).toMatch(/^\$\{\w+:\?/);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd accepts the unit, which restricts the service", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "millrace.service");
  // Where Millrace is not installed, systemd would not find the program.
  writeFileSync(file, read("systemd/millrace.service").replace("/usr/local/bin/millrace", "/bin/true"));
  const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  const complaints = verified.stderr.split("\n").filter((line) => line.startsWith(file) && !line.includes("'DelegateSubgroup'"));
  expect([verified.status, complaints]).toEqual([0, []]);
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", file], { encoding: "utf8" });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(4);
});

test("the unit does not deny bubblewrap its namespaces, its mounts or its /proc", () => {
  const directives = [...read("systemd/millrace.service").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  const covering = [
    "RestrictNamespaces",
    "ProtectKernelTunables",
    "ProtectKernelLogs",
    "ProtectProc",
    "ProcSubset",
    "ProtectControlGroups",
  ];
  expect(directives.filter((name) => [...covering, "MemoryDenyWriteExecute"].includes(name!))).toEqual([]);
});

// deploy/kubernetes/millrace.yaml: the chart in deploy/helm rendered with its defaults, for clusters without Helm.
//
//   node scripts/deploy/manifests.mjs            renders it (needs `helm`)
//   node scripts/deploy/manifests.mjs --check    reports whether it is current; without `helm`, by the checksum of the chart in its head
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseAllDocuments } from "yaml";
import { root } from "../install.mjs";

const chart = join(root, "deploy/helm/millrace");
const file = join(root, "deploy/kubernetes/millrace.yaml");
const options = ["--namespace", "millrace", "--kube-version", "1.31.0", "--set", "publicUrl=https://millrace.example.com"];
// Without Helm, Jobs can't be applied before the rest.
const hookless = ["--set", "migrations.job=false"];
const head = `# Rendered from deploy/helm/millrace by scripts/deploy/manifests.mjs: change the chart, not this file. docs/deploy.md says how to apply it.
# Chart: sha256 ${checksum()}
`;

function checksum() {
  const hash = createHash("sha256");
  for (const name of readdirSync(chart, { recursive: true, encoding: "utf8" }).sort()) {
    if (statSync(join(chart, name)).isFile()) hash.update(`${name}\n`).update(readFileSync(join(chart, name)));
  }
  return hash.digest("hex");
}

function render() {
  const text = execFileSync("helm", ["template", "millrace", chart, ...options, ...hookless], { encoding: "utf8" });
  // A rendered chart has no namespace of its own.
  const namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: millrace\n";
  return `${head}${namespace}${text.replace(/^# Source: .*\n/gm, "").replace(/\n+(?=---\n|$)/g, "\n")}`;
}

/** Versions of Helm differ in spaces and line ends. */
const parse = (text) => parseAllDocuments(text).map((document) => document.toJS());

const hasHelm = spawnSync("helm", ["version"]).status === 0;
if (!process.argv.includes("--check")) {
  writeFileSync(file, render());
  execFileSync("npx", ["biome", "format", "--write", file], { cwd: root });
} else {
  const found = readFileSync(file, "utf8");
  const isCurrent = found.startsWith(head) && (!hasHelm || isDeepStrictEqual(parse(found), parse(render())));
  if (!isCurrent) console.log("deploy/kubernetes/millrace.yaml is not what the chart renders to: node scripts/deploy/manifests.mjs");
  process.exitCode = isCurrent ? 0 : 1;
}

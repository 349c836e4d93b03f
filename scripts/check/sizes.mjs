// The five biggest files and functions: what a review looks at first. Only a report; the limits are in biome.json.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, sourceFiles } from "./sources.mjs";

const reviewedLines = 25;
const files = sourceFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/).filter((file) => !/\.(test|generated)\.tsx?$/.test(file));

function show(title, rows) {
  console.log(title);
  for (const { lines, place } of rows.sort((a, b) => b.lines - a.lines).slice(0, 5))
    console.log(`  ${String(lines).padStart(5)}  ${place}`);
}

/** Biome knows where functions begin and end: asked with a limit so low that it names all the longer ones. */
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

const lineCount = (file) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
show(
  "Biggest files",
  files.map((file) => ({ lines: lineCount(file), place: file })),
);
show(
  "Biggest functions",
  longFunctions().map(({ location: { path, start, end } }) => ({ lines: end.line - start.line + 1, place: `${path}:${start.line}` })),
);

// `npm run check`: everything that can be checked in the sources without running the service. Each step is a program that prints its
// findings and exits with 1 if there are any; two run at a time, and a step's output is shown only if it fails.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "./install.mjs";
import { runInstalled } from "./run.mjs";

const node = process.execPath;

/** A binary of the workspace, run by this Node: no shell, no npx, the same on every system. */
function tool(path, ...args) {
  return [node, join(root, "node_modules", path), ...args];
}

// The slow ones first, so that both queues end together.
const steps = [
  {
    name: "rooms",
    says: "who may import whom, and the habits of the tests",
    command: tool("vitest/vitest.mjs", "run", "--reporter=dot", "--config", "scripts/check/rooms.config.mjs"),
  },
  { name: "types", says: "TypeScript, strict", command: tool("typescript/bin/tsc", "-p", ".", "--noEmit") },
  {
    name: "types of the web",
    says: "TypeScript, strict, in the browser",
    command: tool("typescript/bin/tsc", "-p", "packages/web", "--noEmit"),
  },
  {
    name: "types of the web's tests",
    says: "TypeScript, strict, in Node and in the browser",
    command: tool("typescript/bin/tsc", "-p", "packages/web/test", "--noEmit"),
  },
  { name: "generated", says: "generated files are current", command: [node, "scripts/generate.mjs", "--check"] },
  { name: "dead code", says: "no unused file, export or dependency", command: tool("knip/bin/knip.js", "--no-progress") },
  {
    name: "style",
    says: "format and lint",
    command: tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--reporter=concise", "--max-diagnostics=200", "."),
  },
  { name: "shell", says: "shell programs, by shellcheck", command: [node, "scripts/check/shell.mjs"] },
  { name: "duplication", says: "no passage written twice", command: [node, "scripts/check/duplication.mjs"] },
  { name: "licences", says: "every dependency may be shipped", command: [node, "scripts/check/licences.mjs"] },
  { name: "words", says: "the field's words, no stray files", command: [node, "scripts/check/words.mjs"] },
  { name: "sizes", says: "no splinters, no files that are too long", command: [node, "scripts/check/sizes.mjs"] },
  { name: "deployment", says: "files under deploy/ that are made from others", command: [node, "scripts/check/deployment.mjs"] },
  { name: "links", says: "every link of the documents resolves", command: [node, "scripts/check/links.mjs"] },
];

/** Runs one step to its end; never rejects. */
function run(step) {
  const startedAt = performance.now();
  return new Promise((done) => {
    const [file, ...args] = step.command;
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    const end = (ok) => done({ ...step, ok, output: output.trim(), seconds: (performance.now() - startedAt) / 1000 });
    child.on("error", (error) => {
      output += String(error);
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

const shownLines = 80;

function excerpt(output) {
  const lines = output.split("\n");
  const rest = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(rest > 0 ? [`… and ${rest} lines more`] : [])].map((line) => `     ${line}`).join("\n");
}

const skipped = "SKIPPED: ";

/** A step that can't run here gives the reason in one line. */
const isSkipped = ({ ok, output }) => ok && output.startsWith(skipped);

function report(result) {
  const mark = isSkipped(result) ? "skip" : result.ok ? "ok  " : "FAIL";
  console.log(`${mark} ${result.name.padEnd(12)} ${result.says.padEnd(52)} ${result.seconds.toFixed(1).padStart(5)} s`);
  if (isSkipped(result)) console.log(`     ${result.output.slice(skipped.length)}`);
  if (!result.ok) console.log(`\n${excerpt(result.output)}\n`);
}

async function main() {
  const wanted = process.argv.slice(2);
  const queue = steps.filter((step) => wanted.length === 0 || wanted.includes(step.name));
  if (queue.length === 0) {
    console.error(`There is no step ${wanted.join(", ")}; known: ${steps.map((step) => step.name).join(", ")}`);
    return 2;
  }
  const results = [];
  const lane = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const result = await run(step);
      results.push(result);
      report(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, lane));
  const failed = results.filter((result) => !result.ok);
  const sizes = results.find(({ name, ok }) => name === "sizes" && ok);
  if (sizes) console.log(`\n${sizes.output}`);
  const left = results.filter(isSkipped).length;
  const note = left > 0 ? `, ${left} skipped` : "";
  console.log(`\ncheck: ${results.length - failed.length - left} passed, ${failed.length} failed${note}`);
  return failed.length === 0 ? 0 : 1;
}

await runInstalled(async () => {
  process.exitCode = await main();
});

import { spawn, spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, resolve } from "node:path";
import { finished } from "node:stream/promises";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { newMark, splitFrames } from "./parts/one-pipe.mjs";
import { pythonPrelude } from "./parts/python-prelude.mjs";
import { splitArguments } from "./parts/split-arguments.mjs";
import { paramBytes, paramPath, paramText, quote, resultLimitBytes, runStep, StepError, writeResult } from "./parts/step.mjs";

/**
 * Runs the parameter `pythonScript` with the Python of this machine. What it prints to standard output is shown in the log and
 * becomes the result `output` (without its last line end), or the file `outputFilePath`; what it writes to standard error stands
 * between the lines of the log, in the order of writing. Its exit code is ours.
 */
async function main() {
  if (paramBytes("pythonScript").length === 0) throw new StepError("parameter pythonScript is empty; there is nothing to run");
  const python = findPython(paramText("pythonVersion").trim());
  checkPackages(python, paramText("pythonPackages"));
  const outputFile = paramText("outputFilePath").trim();
  const keep = outputFile === "" ? keepInMemory() : await keepInFile(resolve(outputFile));
  const mark = newMark();
  const command = ["-u", "-c", pythonPrelude, mark.slice(1, -1), paramPath("pythonScript"), ...readArguments()];
  const child = spawn(python, command, { stdio: ["ignore", "pipe", "inherit"] });
  const frames = splitFrames(mark, {
    out(bytes) {
      process.stdout.write(bytes);
      keep.add(bytes);
    },
    err: (bytes) => void process.stderr.write(bytes),
  });
  child.stdout.on("data", (chunk) => frames.write(chunk));
  const code = await exitCode(child);
  frames.end();
  await keep.end();
  return code;
}

/** @param {string} version such as `Python 3`; anything that does not ask for Python 2 means 3 */
function findPython(version) {
  const names = /^(python)?\s*2/i.test(version) ? ["python2", "python2.7"] : ["python3", "python"];
  const found = names.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (found !== undefined) return found;
  throw new StepError(
    `${names[0]} is not on this machine (looked in ${process.env.PATH ?? "no PATH"}); install it, or use a task that runs in a container`,
  );
}

/**
 * Steps have no network, so packages cannot be installed here; those that the machine has may be named all the same.
 * @param {string} python
 * @param {string} text requirements, separated by blanks or line ends
 */
function checkPackages(python, text) {
  const wanted = text
    .replace(/#.*$/gm, "")
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  if (wanted.length === 0) return;
  const program =
    "import importlib.metadata as m, json, sys\nprint(json.dumps({d.metadata['Name'].lower().replace('_', '-'): d.version for d in m.distributions()}))";
  const listed = spawnSync(python, ["-c", program], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  /** @type {Record<string, string>} */
  const installed = listed.status === 0 ? JSON.parse(listed.stdout) : {};
  const missing = wanted.filter((entry) => !isInstalled(installed, entry));
  if (missing.length === 0) return;
  throw new StepError(
    `packages not on this machine: ${missing.join(", ")}. This task has no network to install them; install them for ${python} on the worker, or use a task whose container image has them`,
  );
}

/** @param {Record<string, string>} installed @param {string} requirement such as `requests`, `requests==2.31.0`, `requests>=2` */
function isInstalled(installed, requirement) {
  const [, name = "", exact] = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:==(.+))?/.exec(requirement) ?? [];
  const version = installed[name.toLowerCase().replaceAll("_", "-")];
  return version !== undefined && (exact === undefined || exact === version);
}

function readArguments() {
  const text = paramText("pythonArguments").trim();
  if (!text.startsWith("[")) return splitArguments(text);
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) ? list.map((item) => (typeof item === "string" ? item : JSON.stringify(item))) : splitArguments(text);
  } catch {
    return splitArguments(text);
  }
}

/** @typedef {{ add(chunk: Buffer): void, end(): Promise<void> }} Keeper */

/** @returns {Keeper} */
function keepInMemory() {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      if (bytes <= resultLimitBytes) chunks.push(chunk);
    },
    async end() {
      if (bytes > resultLimitBytes)
        throw new StepError("the script printed over 1 MiB, too large for the result output; give outputFilePath to keep it in a file");
      writeResult(
        "output",
        Buffer.concat(chunks)
          .toString("utf8")
          .replace(/\r?\n$/, ""),
      );
    },
  };
}

/** @param {string} path @returns {Promise<Keeper>} */
async function keepInFile(path) {
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  return {
    add: (chunk) => void file.write(chunk),
    async end() {
      file.end();
      await finished(file);
      writeResult("output", "");
    },
  };
}

/** @param {import("node:child_process").ChildProcess} child @returns {Promise<number>} 128 + its number after a signal, as shells say it */
function exitCode(child) {
  return new Promise((done, fail) => {
    child.on("error", (error) => fail(new StepError(`python could not be started: ${quote(error.message)}`)));
    child.on("close", (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

await runStep(main);

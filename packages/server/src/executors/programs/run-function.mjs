// Runs a task whose script is a function (steps/function-step.ts), inside the sandbox, container or pod, with the rights of the step:
//
//   node run-function.mjs FUNCTION JOB        one job, from its file; ends with its exit code
//   node run-function.mjs FUNCTION            jobs one after the other, as named by the pipe at descriptor 9: `NONCE FILE`
//
// For a job from the pipe, the runner reports in the output, so that the job's own output comes before: a record separator, the nonce and
// `begun` before anything of the script runs, `done` when the function has returned. Everything else ends the process with the same exit
// code as without a pipe; so a job behaves the same wherever it runs. The script can access all of this, and forge its own end. It only
// knows the nonce of its own job.
import { mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import * as nodeModule from "node:module";
import { Socket } from "node:net";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const [script, onlyJob] = process.argv.slice(2);
const { stdout, stderr, env } = process;
const exit = process.exit.bind(process);
const jobPipe = 9;
const nameOfResult = /^[A-Za-z0-9_][\w.-]{0,199}$/;
/** Missing in versions of Node that can't strip types. */
const notRunnable = 126;
let loading;
let pipe;

/** A problem with the script as a whole, not an error in it. */
class Problem extends Error {
  exitCode = 1;
}

if (onlyJob === undefined) serve();
else exit(await run(readJob(onlyJob)));

function serve() {
  pipe = new Socket({ fd: jobPipe, readable: true, writable: false });
  let text = "";
  pipe.setEncoding("utf8").on("data", (piece) => {
    text += piece;
    const end = text.indexOf("\n");
    if (end < 0) return;
    const [nonce, file] = text.slice(0, end).split(" ");
    text = "";
    void serveOne(nonce, file);
  });
  pipe.on("end", () => exit(0)).on("error", () => exit(1));
}

async function serveOne(nonce, file) {
  const job = readJob(file);
  replaceVariables(job.variables);
  answer(`\x1e${nonce} begun\n`);
  const code = await run(job);
  if (code !== 0) exit(code);
  await flush();
  answer(`\x1e${nonce} done\n`);
}

function readJob(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Resets what the script itself has set. */
function replaceVariables(variables) {
  for (const name of Object.keys(env)) if (!Object.hasOwn(variables, name)) delete env[name];
  Object.assign(env, variables);
}

/** If the pipe is full, the text is written later. */
function answer(text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") exit(1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function flush() {
  return Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write("", () => resolve()))));
}

/** If there is nothing left to wait for, an unsettled promise will never settle. */
async function run(job) {
  const code = await new Promise((resolve) => {
    const stuck = () => {
      pipe?.ref();
      complain("the function waits for a promise that nothing will settle");
      resolve(1);
    };
    process.once("beforeExit", stuck);
    pipe?.unref();
    void call(job)
      .then(() => 0, report)
      .then((found) => {
        process.off("beforeExit", stuck);
        pipe?.ref();
        resolve(found);
      });
  });
  if (code !== 0 || pipe === undefined) await flush();
  return code;
}

function report(error) {
  complain(error instanceof Problem ? error.message : inspect(error));
  return error?.exitCode === notRunnable && error instanceof Problem ? notRunnable : 1;
}

function complain(text) {
  stderr.write(`${text}\n`);
}

async function call({ params, context, folder, results }) {
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  loading ??= load();
  const returned = await (await loading)(params, context);
  for (const [name, text] of textsOf(returned)) writeFileSync(join(results, name), text);
}

async function load() {
  const loaded = await import(pathToFileURL(script.endsWith(".ts") ? withoutTypes() : script).href);
  if (typeof loaded.default !== "function")
    throw new Problem("the script has no function as its default export; write: export default async function (params, context) { … }");
  return loaded.default;
}

function withoutTypes() {
  if (nodeModule.stripTypeScriptTypes === undefined) {
    const text = `a task in TypeScript needs Node 22.13 or newer, and this is ${process.version}; write it in JavaScript, or use a newer Node`;
    throw Object.assign(new Problem(text), { exitCode: notRunnable });
  }
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const file = join(env.TMPDIR, `${basename(script, ".ts")}.mjs`);
    writeFileSync(file, nodeModule.stripTypeScriptTypes(readFileSync(script, "utf8")));
    return file;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Text unchanged, null as empty text, everything else as JSON: the same format as parameters. */
function textsOf(returned) {
  if (returned === undefined || returned === null) return [];
  if (typeof returned !== "object" || Array.isArray(returned)) {
    const what = Array.isArray(returned) ? "a list" : `a ${typeof returned}`;
    throw new Problem(`the function returned ${what}; it must return an object with a member for each result, or nothing`);
  }
  const members = Object.entries(returned).filter(([, value]) => value !== undefined);
  const wrong = members.find(([name]) => !nameOfResult.test(name));
  if (wrong)
    throw new Problem(
      `the function returned the member ${JSON.stringify(wrong[0])}, which is no name of a result: letters, digits, _, - and dots`,
    );
  return members.map(([name, value]) => [name, textOf(value)]);
}

function textOf(value) {
  if (value === null) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

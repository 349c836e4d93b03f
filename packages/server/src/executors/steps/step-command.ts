// What a step starts with: its program, its files and its environment.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { parameterVariable } from "../../core/parameter/parameter-variable.ts";
import { writeLineage } from "../../core/run/lineage.ts";
import type { JobStep, PlainStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { StepProblem } from "./step-problem.ts";
import type { View } from "./view.ts";

export interface StepFile {
  name: string;
  text: string;
}

export interface StepCommand {
  /** Program and arguments; for a script, the interpreter and the path of its file in the view. Empty: the image decides what runs. */
  argv: string[];
  /** Files that it needs in the folder of the step files. */
  files: StepFile[];
  /** If `argv` is empty: arguments for the program of the image. */
  imageArgs?: string[];
}

/** @throws StepProblem if the step can't run as it is written */
export function stepCommand(step: PlainStep, name: string, view: Pick<View, "steps">): StepCommand {
  const args = (step.args ?? []).map(withoutNul);
  if (step.script !== undefined && step.script !== "") {
    const script = readScript(step.script);
    if ("problem" in script) throw new StepProblem(`the script of step "${name}" can't run: ${script.problem}`);
    const file = stepFiles(name).script;
    return { argv: [...script.interpreter, `${view.steps}/${file}`, ...args], files: [{ name: file, text: script.text }] };
  }
  const command = (step.command ?? []).map(withoutNul);
  if (command.length === 0 && step.image) return { argv: [], imageArgs: args, files: [] };
  if ((command[0] ?? "") === "") throw new StepProblem(`step "${name}" has neither a script nor a command, so there is nothing to run`);
  return { argv: [...command, ...args], files: [] };
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

/**
 * What a step runs. The line `#!` is parsed here and not by the kernel, so that a script runs from a folder mounted `noexec`, with CR LF
 * line ends and with a first line of any length, and never fails as busy while another process starts.
 */
interface StepScript {
  text: string;
  /** The interpreter with its one optional argument, as a kernel would start it. */
  interpreter: string[];
}

/** Tekton's default: the shell, which stops at the first command that fails. */
const defaultInterpreter = ["/bin/sh", "-e"];

/** @returns the script as it is written to its file, or what is wrong with its first line */
export function readScript(script: string): StepScript | { problem: string } {
  const firstEnd = script.indexOf("\n");
  const hasWindowsEnds = firstEnd > 0 && script[firstEnd - 1] === "\r";
  const text = hasWindowsEnds ? script.replaceAll("\r\n", "\n") : script;
  if (!text.startsWith("#!")) return { text, interpreter: defaultInterpreter };
  const line = (text.split("\n", 1)[0] ?? "").slice(2).trim();
  const [, path = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  if (!path.startsWith("/"))
    return { problem: `its first line #!${line} names no interpreter by an absolute path, like #!/usr/bin/env python3` };
  return { text, interpreter: argument === "" ? [path] : [path, argument] };
}

/** Unnamed steps are named as in Tekton; names that would share a file get their number appended. */
export function stepNames(steps: readonly Pick<JobStep, "name">[]): string[] {
  const taken = new Set<string>();
  return steps.map((step, index) => {
    const wanted = step.name === "" ? `unnamed-${index}` : step.name;
    const name = taken.has(fileName(wanted)) ? `${wanted}-${index}` : wanted;
    taken.add(fileName(name));
    return name;
  });
}

/** Whether it is a valid file name. */
export function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255;
}

/** Relative folders are inside the working folder of the attempt. */
export function workingDir({ workingDir }: Pick<JobStep, "workingDir">, view: View): string {
  if (workingDir === undefined || workingDir === "") return view.work;
  const clean = workingDir.replaceAll("\0", "");
  return clean.startsWith("/") ? clean : `${view.work}/${clean}`;
}

/**
 * What a step runs. If a step is a function, its runner is executed, which reads script and job from files; so it behaves the same in a
 * process, a container and a pod, and in a sandbox that is kept for further jobs.
 * @throws StepProblem if the step can't run as it is written
 */
export function stepProgram(job: Job, step: PlainStep, name: string, view: View): StepCommand {
  if (step.language === undefined) return stepCommand(step, name, view);
  const { argv, files } = functionProgram(step, name, view);
  const file = stepFiles(name).job;
  return { argv: [...argv, `${view.steps}/${file}`], files: [...files, { name: file, text: functionJob(job, step, view) }] };
}

interface Runner {
  /** Name of its file in executors/programs. */
  ending: ".mjs" | ".py";
  /** Name of the script's file. */
  scriptEnding: string;
  interpreter(view: Pick<View, "node">): string[];
}

const node: Runner = { ending: ".mjs", scriptEnding: ".mjs", interpreter: (view) => [view.node ?? "node"] };
const runners: Readonly<Record<NonNullable<JobStep["language"]>, Runner>> = {
  javascript: node,
  typescript: { ...node, scriptEnding: ".ts" },
  python: { ending: ".py", scriptEnding: ".py", interpreter: () => ["python3"] },
};

/** Read when the service starts, so that a later change of the checkout never mixes with the running version. */
const programs: Readonly<Record<Runner["ending"], string>> = { ".mjs": readRunner(".mjs"), ".py": readRunner(".py") };

function readRunner(ending: string): string {
  return readFileSync(join(repositoryRoot, `packages/server/src/executors/programs/run-function${ending}`), "utf8");
}

/** The runner of a function, without a job. */
export function functionProgram({ language = "javascript", script = "" }: JobStep, name: string, view: View): StepCommand {
  const { ending, scriptEnding, interpreter } = runners[language];
  const [runner, file] = [`run-function${ending}`, `function-${fileName(name)}${scriptEnding}`];
  return {
    argv: [...interpreter(view), `${view.steps}/${runner}`, `${view.steps}/${file}`],
    files: [
      { name: runner, text: programs[ending] },
      { name: file, text: script },
    ],
  };
}

/** @param variables of the job, if the runner was started with others; undefined: it was started with these */
export function functionJob(job: Job, step: JobStep, view: View, variables?: ReadonlyMap<string, string>): string {
  return JSON.stringify({
    params: Object.fromEntries(job.params.map(({ name, value }) => [name, value ?? null])),
    context: {
      task: job.name,
      taskRun: job.taskRunId,
      run: job.runId,
      attempt: job.attempt,
      workspaces: Object.fromEntries(job.workspaces.map((workspace) => [workspace.name, view.workspace(workspace)])),
    },
    folder: workingDir(step, view),
    results: view.results,
    ...(variables && { variables: Object.fromEntries(variables) }),
  });
}

/** The files of one step in its folder. */
export function stepFiles(step: string): { script: string; job: string; environment: string; exitCode: string } {
  const name = fileName(step);
  return { script: `script-${name}`, job: `job-${name}.json`, environment: `environment-${name}`, exitCode: `exit-code-${name}` };
}

/** A name from a document as a file name: no separator, and no dot at the start. */
function fileName(name: string): string {
  return name
    .replace(/[^\w.-]/g, "_")
    .replace(/^\.+/, "_")
    .slice(0, 200);
}

/** On Linux, one variable may have 128 KiB including its name and `=`; all of them and the arguments share at least 2 MiB. */
const maxVariableBytes = 131_000;
const maxEnvironmentBytes = 1_000_000;

export interface StepEnvironment {
  variables: Map<string, string>;
  /** Names of parameters that are too large for a variable; they are available as files. */
  leftOut: string[];
}

/**
 * The environment of a step; it contains nothing of the service's own.
 * @param step its texts resolved
 * @param more defaults of the executor; parameters and the step itself may override them
 */
export function stepEnvironment(job: Job, step: PlainStep, view: View, more: readonly [string, string][] = []): StepEnvironment {
  const variables = new Map([...baseVariables(job, view), ...more]);
  let bytes = 0;
  const leftOut: string[] = [];
  const setBounded = (name: string, value: string, label: string): void => {
    const size = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    if (size > maxVariableBytes || bytes + size > maxEnvironmentBytes) return void leftOut.push(label);
    bytes += size;
    variables.set(name, value);
  };
  for (const { name, value } of job.params) setBounded(parameterVariable(name), parameterText(value), name);
  for (const { name, value } of step.env ?? []) setBounded(name, value.replaceAll("\0", ""), name);
  return { variables, leftOut };
}

function baseVariables(job: Job, view: View): [string, string][] {
  const variables: [string, string | undefined][] = [
    ["PATH", view.path],
    ["HOME", view.home],
    ["TMPDIR", view.temp],
    ["USER", "task"],
    ["LOGNAME", "task"],
    ["LANG", "C.UTF-8"],
    ["CI", "true"],
    ["NODE", view.node],
    ["PARAMS_PATH", view.params],
    ["RESULTS_PATH", view.results || undefined],
    ["MILLRACE_TASK_RUN", attemptMark(job)],
  ];
  if (job.lineage) variables.push(["MILLRACE_LINEAGE", writeLineage(job.lineage)]);
  if (job.traceparent) variables.push(["TRACEPARENT", job.traceparent]);
  if (job.debug) variables.push(["DEBUG", "true"]);
  return variables.filter((pair): pair is [string, string] => pair[1] !== undefined);
}

/** Identifies one attempt, also in the environment of its processes. */
function attemptMark(job: Pick<Job, "taskRunId" | "attempt">): string {
  return `${job.taskRunId}.${job.attempt}`;
}

/** Text unchanged, null as empty text, anything else as JSON. Variables and arguments can't contain NUL. */
export function parameterText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replaceAll("\0", "");
}

const shellName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that a shell sets itself and does not let others set. */
const ownNames = new Set(["UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "OPTIND", "IFS"]);

/**
 * Separates the variables that a shell can read from a file from those that a shell can't set. Names that no environment can contain are
 * left out.
 */
export function writeEnvironment(variables: ReadonlyMap<string, string>): { file: string; oddOnes: Map<string, string> } {
  const lines: string[] = [];
  const oddOnes = new Map<string, string>();
  for (const [name, value] of settableVariables(variables)) {
    if (shellName.test(name) && !ownNames.has(name)) lines.push(`export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
    else oddOnes.set(name, value);
  }
  return { file: lines.join(""), oddOnes };
}

/** All except those whose name no environment can contain. */
export function settableVariables(variables: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...variables].filter(([name]) => /^[^=\0]+$/.test(name)));
}

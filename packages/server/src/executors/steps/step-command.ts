import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { PlainStep } from "../../core/task/tekton/plain-step.ts";
import type { Job } from "../../engine/executor.ts";
import { fileName, stepFiles } from "./places.ts";
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

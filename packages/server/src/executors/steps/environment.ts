import { parameterVariable } from "../../core/parameter/parameter-variable.ts";
import { writeLineage } from "../../core/run/lineage.ts";
import type { PlainStep } from "../../core/task/tekton/plain-step.ts";
import type { Job } from "../../engine/executor.ts";
import type { View } from "./view.ts";

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

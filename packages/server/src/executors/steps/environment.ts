import { parameterVariable } from "../../core/parameter/parameter-variable.ts";
import { writeLineage } from "../../core/run/lineage.ts";
import type { PlainStep } from "../../core/task/tekton/plain-step.ts";
import type { Job } from "../../engine/executor.ts";
import type { View } from "./view.ts";

/** One variable may have 128 KiB on Linux, its name and `=` included; all of them and the arguments share 2 MiB at least. */
const maxVariableBytes = 131_000;
const maxEnvironmentBytes = 1_000_000;

export interface StepEnvironment {
  variables: Map<string, string>;
  /** Names of parameters that are too large for a variable; their files are there. */
  leftOut: string[];
}

/**
 * The environment of a step; nothing of the service's own is in it.
 * @param step its texts resolved
 * @param more of the place where it runs; parameters and the step itself may set them otherwise
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

/** Names one attempt, also in the environment of its processes. */
function attemptMark(job: Pick<Job, "taskRunId" | "attempt">): string {
  return `${job.taskRunId}.${job.attempt}`;
}

/** Text as it is, nothing as empty text, anything else as JSON. NUL can be in no variable and in no argument. */
export function parameterText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replaceAll("\0", "");
}

const shellName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that a shell sets itself and lets nobody else set. */
const ownNames = new Set(["UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "OPTIND", "IFS"]);

/** Splits what a shell can read from a file from variables that no shell can set. Names that no environment can hold are left out. */
export function writeEnvironment(variables: ReadonlyMap<string, string>): { file: string; oddOnes: Map<string, string> } {
  const lines: string[] = [];
  const oddOnes = new Map<string, string>();
  for (const [name, value] of settableVariables(variables)) {
    if (shellName.test(name) && !ownNames.has(name)) lines.push(`export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
    else oddOnes.set(name, value);
  }
  return { file: lines.join(""), oddOnes };
}

/** All but those whose name no environment can hold. */
export function settableVariables(variables: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...variables].filter(([name]) => /^[^=\0]+$/.test(name)));
}

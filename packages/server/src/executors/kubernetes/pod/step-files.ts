import { randomUUID } from "node:crypto";
import { sidecarStepName } from "../../../core/task/tekton/flat-step.ts";
import { fillStep, isPlainStep, type JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { JobSidecar } from "../../../core/task/tekton/sidecars/job-sidecars.ts";
import { stepResultFile } from "../../../core/task/tekton/step-values.ts";
import type { Job } from "../../../engine/executor.ts";
import { containerShares } from "../../steps/container-shares.ts";
import { copyOutputProgram, outputPaths } from "../../steps/copy-output.ts";
import { spawnVerdict } from "../../steps/outcomes.ts";
import { partOfFiles } from "../../steps/places.ts";
import { probePort, requestOf } from "../../steps/probe-request.ts";
import { resultFile } from "../../steps/read-results.ts";
import { asSidecar, requireImage } from "../../steps/sidecar-verdicts.ts";
import {
  isFileName,
  parameterText,
  stepEnvironment,
  stepFiles,
  stepNames,
  stepProgram,
  workingDir,
  writeEnvironment,
} from "../../steps/step-command.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import { valuesOfStep } from "../../steps/step-turn.ts";
import { homeFolder, imageView, sidecarView } from "../../steps/view.ts";
import {
  collectScript,
  followScript,
  launchScript,
  scriptFiles,
  stepScript,
  turnScript,
  watchScript,
  wrapperFiles,
} from "./pod-scripts.ts";
import { quote, turnFile } from "./turn-file.ts";

export interface StepFiles {
  /** The name for later steps and messages. */
  name: string;
  step: JobStep;
  /** For the log: what was requested and could not be provided. */
  notes: string[];
}

export interface SidecarFiles {
  /** The name in the log. */
  name: string;
  sidecar: JobSidecar;
  /** The limits of this sidecar. */
  limits: Job["limits"];
  notes: string[];
}

/** Placeholder for a value that only the pod knows. It can't be guessed, so no text of a user contains it. */
interface ValueMark {
  mark: string;
  /** Number of the variable in the launch file that holds the value, from 1. */
  number: number;
}

export interface AttemptFiles {
  steps: StepFiles[];
  sidecars: SidecarFiles[];
  /** Path below the folder of fixed files, and content. Only these files contain secrets. */
  files: Map<string, string>;
}

/** The kernel's limits for one argument, and for all arguments together with the environment, on any Linux. */
const maxArgumentBytes = 131_071;
const maxArgumentsBytes = 1_000_000;

/**
 * Everything that the pod reads.
 * @param times of sidecars, in seconds: between TERM and KILL, and until they have to be ready
 * @throws StepProblem if a step or a sidecar can't run as it is written
 */
export function attemptFiles(given: Job, mayAskCluster: boolean, times = { grace: 1, ready: 300 }): AttemptFiles {
  const shares = containerShares(given);
  const job = { ...given, limits: shares.steps };
  const files = new Map<string, string>([
    [scriptFiles.collect, collectScript],
    [scriptFiles.follow, followScript],
    [scriptFiles.turn, turnScript],
    [scriptFiles.probe, probePort],
    [wrapperFiles.step, stepScript],
    [wrapperFiles.launch, launchScript],
    [wrapperFiles.watch, watchScript],
  ]);
  // The cluster refuses a path that starts with two dots.
  for (const { name, value } of job.params)
    if (isFileName(name) && !name.startsWith("..")) files.set(`params/${name}`, parameterText(value));
  if (job.steps.some(({ outputFiles }) => outputFiles))
    for (const [machine, architecture] of [
      ["x86_64", "x64"],
      ["aarch64", "arm64"],
    ] as const)
      files.set(wrapperFiles.copyOutput(machine), copyOutputProgram(architecture).toString("base64"));
  const names = stepNames(job.steps);
  const steps = job.steps.map((step, index) => addStep(files, job, step, names[index] ?? "", mayAskCluster));
  const plan = steps.map(({ name, step }) => `${step.onError === "continue" ? "continue" : "stop"} ${stepFiles(name).exitCode}\n`);
  files.set(scriptFiles.plan, plan.join(""));
  const results = new Set(job.results.map(resultFile).filter((name) => !name.includes("\n")));
  files.set(scriptFiles.results, [...results].map((name) => `${name}\n`).join(""));
  addVolumes(files, job);
  const sidecars = sidecarFiles(files, job, shares.sidecars, mayAskCluster);
  files.set(scriptFiles.sidecars, sidecars.map((sidecar) => sidecarLine(sidecar, times)).join(""));
  return { steps, sidecars, files };
}

/** In the format that programs/pod/collect.sh reads. */
function sidecarLine({ sidecar: { probe }, limits }: SidecarFiles, { grace, ready }: { grace: number; ready: number }): string {
  const { action, timeoutMs = 0, periodMs = 0, initialDelayMs = 0, successes = 1 } = probe ?? {};
  const port = action === undefined || action.kind === "exec" ? 0 : action.port;
  const seconds = [timeoutMs, periodMs, initialDelayMs].map((ms) => ms / 1000).join(" ");
  // One block more than is accepted, so that it shows when output was dropped.
  const blocks = Math.floor(limits.outputBytes / 512) + 2;
  return `${grace} ${blocks} ${ready} ${action?.kind ?? "none"} ${port} ${seconds} ${successes}\n`;
}

function sidecarFiles(files: Map<string, string>, job: Job, limits: readonly Job["limits"][], mayAskCluster: boolean): SidecarFiles[] {
  const { steps, sidecars = [] } = job;
  const names = stepNames([...steps, ...sidecars.map(({ name }) => ({ name: sidecarStepName(name) }))]).slice(steps.length);
  return sidecars.map((sidecar, index) => {
    const name = names[index] ?? "";
    requireImage(sidecar);
    const program = asSidecar(sidecar.name, () => {
      const found = stepProgram(job, sidecar, name, sidecarView);
      requireArguments(name, found.argv);
      return found;
    });
    for (const file of program.files) files.set(`steps/${file.name}`, file.text);
    const { variables, leftOut } = stepEnvironment(job, sidecar, sidecarView);
    const { file, oddOnes } = writeEnvironment(variables);
    const folder = sidecar.workingDir ? workingDir(sidecar, sidecarView) : "";
    const launch = (argv: string[], at: string) =>
      launchValues({ environment: file, oddOnes, argv, folder: at, mayAskCluster, output: {} });
    files.set(wrapperFiles.sidecarValues(index), launch(program.argv, folder));
    const action = sidecar.probe?.action;
    if (action?.kind === "exec") files.set(wrapperFiles.probeValues(index), launch(action.command, "/"));
    if (action?.kind === "http") files.set(scriptFiles.requestOf(index), requestOf(action));
    return { name, sidecar, limits: limits[index] ?? job.limits, notes: leftOut.map(leftOutNote) };
  });
}

function leftOutNote(label: string): string {
  return `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`;
}

/** The path of a volume's file among those of the Secrets. */
export function volumeFolder(index: number): string {
  return `volumes/${index}/`;
}

function addVolumes(files: Map<string, string>, { volumes = [], steps }: Job): void {
  for (const [index, volume] of volumes.entries())
    for (const { path, text } of volume.files ?? []) files.set(volumeFolder(index) + path, text);
  const places = steps
    .flatMap(({ mounts = [] }) => mounts)
    .flatMap(({ volume: name, path, subPath }) => {
      const volume = volumes.find((candidate) => candidate.name === name);
      const part = volume?.files ? partOfFiles(volume, subPath) : "folder";
      return path.startsWith(`${homeFolder}/`) ? [`${path}${part === "folder" ? "/" : ""}\n`] : [];
    });
  files.set(scriptFiles.places, [...new Set(places)].join(""));
}

function addStep(files: Map<string, string>, job: Job, step: JobStep, name: string, mayAskCluster: boolean): StepFiles {
  const index = [...files.keys()].filter((path) => path.startsWith(wrapperFiles.values(0).slice(0, -1))).length;
  if (valuesOfStep(step).some(({ part, spread }) => part !== undefined || spread))
    throw new StepProblem(
      `step "${name}" takes parts of results of other steps, which pods can't; run the task by a worker with containers`,
    );
  const marks = valueMarks(step);
  const filled = fillStep(step, (value) => marks.get(stepResultFile(value))?.mark ?? "");
  const program = stepProgram(job, filled, name, imageView);
  const { argv } = program;
  requireArguments(name, argv);
  for (const file of program.files) files.set(`steps/${file.name}`, file.text);
  const { variables, leftOut } = stepEnvironment(job, filled, imageView);
  const { file, oddOnes } = writeEnvironment(variables);
  const output = outputPaths(step);
  const values = launchValues({ environment: file, oddOnes, argv, folder: workingDir(step, imageView), mayAskCluster, output });
  files.set(wrapperFiles.values(index), withValues(values, [...marks.values()]));
  if (!isPlainStep(step)) files.set(scriptFiles.turnOf(index), turnFile(step));
  return { name, step, notes: leftOut.map(leftOutNote) };
}

function requireArguments(name: string, argv: readonly string[]): void {
  if (argv.length === 0) throw new StepProblem(ownProgramMessage(name));
  if (tooLong(argv)) throw new StepProblem(spawnVerdict(name, Object.assign(new Error("too long"), { code: "E2BIG" })).message);
}

function valueMarks(step: JobStep): Map<string, ValueMark> {
  const values = valuesOfStep(step);
  return new Map(values.map((value, at) => [stepResultFile(value), { mark: `millrace-${randomUUID()}`, number: at + 1 }]));
}

/**
 * Every placeholder is inside a quoted word, which ends before the value and continues after it, so the shell never interprets the value.
 */
function withValues(text: string, marks: readonly ValueMark[]): string {
  const used = marks.filter(({ mark }) => text.includes(mark));
  if (used.length === 0) return text;
  // A variable of that name from the image would be exported to the step.
  const forget = `unset millrace_value ${used.map(({ number }) => `millrace_value_${number}`).join(" ")}\n`;
  const reads = used.map(({ number }) => `millrace_read ${number}\nmillrace_value_${number}=$millrace_value\n`).join("");
  return forget + reads + used.reduce((all, { mark, number }) => all.replaceAll(mark, `'"$millrace_value_${number}"'`), text);
}

function ownProgramMessage(name: string): string {
  return (
    `step "${name}" has neither a script nor a command. What its image would run by itself is not known on Kubernetes: ` +
    "write the command of the image into the step, or run the task by a worker with containers"
  );
}

function tooLong(argv: readonly string[]): boolean {
  const sizes = argv.map((argument) => Buffer.byteLength(argument) + 1);
  return sizes.some((size) => size > maxArgumentBytes) || sizes.reduce((sum, size) => sum + size, 0) > maxArgumentsBytes;
}

/** Variables that Kubernetes adds to every container; a step that may access the cluster needs them. */
const clusterVariables = ["PORT", "PORT_443_TCP", "PORT_443_TCP_ADDR", "PORT_443_TCP_PORT", "PORT_443_TCP_PROTO"]
  .concat(["SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTPS"])
  .map((name) => `KUBERNETES_${name}`)
  .join(" ");

interface Launch {
  environment: string;
  oddOnes: ReadonlyMap<string, string>;
  argv: string[];
  folder: string;
  mayAskCluster: boolean;
  output: NonNullable<JobStep["outputFiles"]>;
}

/** The values of one step, for programs/pod/launch.sh: every text of a user is a quoted word in it. */
function launchValues({ environment, oddOnes, argv, folder, mayAskCluster, output }: Launch): string {
  const hidden = mayAskCluster ? "" : `unset ${clusterVariables}\n`;
  // A shell can't set these, and the image may lack a program that reads them from a file. The arguments of `env` are visible only in this
  // pod, until it becomes the step.
  const assignments = [...oddOnes].map(([name, value]) => quote(`${name}=${value}`)).join(" ");
  const starter = assignments && `millrace_start() { exec "$millrace_box" env -- ${assignments} "$@"; }\n`;
  const { stdout = "", stderr = "" } = output;
  const copied = stdout + stderr === "" ? "" : `millrace_out=${quote(stdout)} millrace_err=${quote(stderr)}\n`;
  return `${hidden}${environment}${starter}${copied}set -- ${[folder, ...argv].map(quote).join(" ")}\n`;
}

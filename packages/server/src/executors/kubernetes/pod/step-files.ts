import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job } from "../../../engine/executor.ts";
import { parameterText, stepEnvironment, writeEnvironment } from "../../steps/environment.ts";
import { spawnVerdict } from "../../steps/outcomes.ts";
import { stepFiles } from "../../steps/places.ts";
import { isFileName, stepNames, workingDir } from "../../steps/step-command.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import { stepProgram } from "../../steps/step-program.ts";
import { imageView } from "../../steps/view.ts";
import { collectScript, followScript, launchScript, scriptFiles, stepScript, watchScript, wrapperFiles } from "./pod-scripts.ts";

export interface StepFiles {
  /** As later steps and messages call it. */
  name: string;
  step: JobStep;
  /** For the log: what could not be given to it as it was asked. */
  notes: string[];
}

export interface AttemptFiles {
  steps: StepFiles[];
  /** Path below the folder of fixed files, and content. Secrets are in them, and nowhere else. */
  files: Map<string, string>;
}

/** What the kernel takes as one argument, and as all of them together with the environment, on any Linux. */
const maxArgumentBytes = 131_071;
const maxArgumentsBytes = 1_000_000;

/** Everything that the pod reads. @throws StepProblem when a step can't run as it is written */
export function attemptFiles(job: Job, mayAskCluster: boolean): AttemptFiles {
  const files = new Map<string, string>([
    [scriptFiles.collect, collectScript],
    [scriptFiles.follow, followScript],
    [wrapperFiles.step, stepScript],
    [wrapperFiles.launch, launchScript],
    [wrapperFiles.watch, watchScript],
  ]);
  // A path that begins with two dots is refused by the cluster.
  for (const { name, value } of job.params)
    if (isFileName(name) && !name.startsWith("..")) files.set(`params/${name}`, parameterText(value));
  const names = stepNames(job.steps);
  const steps = job.steps.map((step, index) => addStep(files, job, step, names[index] ?? "", mayAskCluster));
  const plan = steps.map(({ name, step }) => `${step.onError === "continue" ? "continue" : "stop"} ${stepFiles(name).exitCode}\n`);
  files.set(scriptFiles.plan, plan.join(""));
  const results = job.results.filter(({ name }) => !name.includes("\n")).map(({ name }) => `${name}\n`);
  files.set(scriptFiles.results, results.join(""));
  return { steps, files };
}

function addStep(files: Map<string, string>, job: Job, step: JobStep, name: string, mayAskCluster: boolean): StepFiles {
  const program = stepProgram(job, step, name, imageView);
  const { argv } = program;
  if (argv.length === 0) throw new StepProblem(ownProgramMessage(name));
  if (tooLong(argv)) throw new StepProblem(spawnVerdict(name, Object.assign(new Error("too long"), { code: "E2BIG" })).message);
  for (const file of program.files) files.set(`steps/${file.name}`, file.text);
  const { variables, leftOut } = stepEnvironment(job, step, imageView);
  const { file, oddOnes } = writeEnvironment(variables);
  const index = [...files.keys()].filter((path) => path.startsWith(wrapperFiles.values(0).slice(0, -1))).length;
  files.set(
    wrapperFiles.values(index),
    launchValues({ environment: file, oddOnes, argv, folder: workingDir(step, imageView), mayAskCluster }),
  );
  const notes = leftOut.map((label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`);
  return { name, step, notes };
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

/** What Kubernetes puts into every container; a step that may ask the cluster needs it. */
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
}

/** The values of one step, for programs/pod-launch.sh: every text of a user is a quoted word in it. */
function launchValues({ environment, oddOnes, argv, folder, mayAskCluster }: Launch): string {
  const hidden = mayAskCluster ? "" : `unset ${clusterVariables}\n`;
  // No shell can set these, and no image has to have anything that reads a file. The arguments of `env` are seen in this pod alone,
  // until it becomes the step.
  const assignments = [...oddOnes].map(([name, value]) => quote(`${name}=${value}`)).join(" ");
  const starter = assignments && `millrace_start() { exec "$millrace_box" env -- ${assignments} "$@"; }\n`;
  return `${hidden}${environment}${starter}set -- ${[folder, ...argv].map(quote).join(" ")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

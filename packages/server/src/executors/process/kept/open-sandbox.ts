import { isPlainStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job } from "../../../engine/executor.ts";
import { type Attempt, writeFixed } from "../../folders/attempt-folder.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { functionProgram, stepEnvironment, stepNames } from "../../steps/step-command.ts";
import { attemptProcesses } from "../attempt-processes.ts";
import { launchStep, needsEgress, type SandboxContext } from "../attempt-stage.ts";
import { launcherLimits } from "../launcher-limits.ts";
import type { InputPipe } from "../output-pipes.ts";
import { prepareCommand } from "../prepare-steps.ts";
import type { Runtime } from "../runtime.ts";
import { openStepEgress } from "../step-egress.ts";
import { JobOutput } from "./job-output.ts";
import { KeptSandbox, type SandboxParts } from "./kept-sandbox.ts";

const moveInput = shellProgram("move-input");

/** Starts a sandbox with the runner of a function, which waits for jobs. @throws the error that prevented the start */
export async function openSandbox(
  runtime: Runtime,
  job: Job,
  { key, heardWithinMs }: Pick<SandboxParts, "key" | "heardWithinMs">,
): Promise<KeptSandbox> {
  const attempt = runtime.slots.take(job);
  const isOwnUser = attempt.identity !== undefined && runtime.identities?.isDisposable(attempt.identity) === true;
  const group = runtime.groups?.take(job.limits, job.teamId);
  const context: SandboxContext = {
    runtime,
    job,
    attempt,
    group,
    processes: attemptProcesses(runtime.level, attempt, group, isOwnUser),
  };
  let input: InputPipe | undefined;
  let sandbox: KeptSandbox | undefined;
  const release = (): Promise<void> => releaseAll(context);
  try {
    await runtime.slots.waitForUser(attempt);
    const view = runtime.level.view(attempt);
    const say = (line: string): void => sandbox?.say(line);
    const egress = needsEgress(context) ? await openStepEgress({ ...runtime, job, attempt, view, say }) : undefined;
    if (egress) context.egress = egress;
    const argv = await prepareRunner(context, attempt, isOwnUser);
    input = await runtime.pipes.openInput();
    const output = new JobOutput();
    const process = launchStep(context, { argv, input, onOutput: (reader, lastWords) => output.read(reader, lastWords) });
    sandbox = new KeptSandbox({ key, context, process, input, output, helpers: egress?.hasForwarder ? 1 : 0, heardWithinMs, release });
    return sandbox;
  } catch (error) {
    input?.close();
    await release();
    throw error;
  }
}

/** It only gets from its first job what all of its jobs have in common: no parameter, and nothing that names the job. */
async function prepareRunner(context: SandboxContext, attempt: Attempt, isOwnUser: boolean): Promise<string[]> {
  const { runtime, job, egress } = context;
  const [step] = job.steps;
  const [name = ""] = stepNames(job.steps);
  if (step === undefined || !isPlainStep(step)) throw new Error("a job without a step has no sandbox");
  const view = runtime.level.view(attempt);
  const { argv, files } = functionProgram(step, name, view);
  for (const file of files) await writeFixed(attempt, "steps", file.name, file.text);
  const { lineage: _lineage, traceparent: _traceparent, ...common } = { ...job, params: [], debug: false };
  const { variables } = stepEnvironment(common, step, view, egress?.variables);
  variables.delete("MILLRACE_TASK_RUN");
  const program = ["/bin/sh", "-c", moveInput, "move-input", ...argv];
  const parts = { attempt, view, limits: launcherLimits(runtime, job, isOwnUser), egress };
  return (await prepareCommand(parts, step, { name, program, variables })).argv;
}

async function releaseAll({ runtime, attempt, group, egress }: SandboxContext): Promise<void> {
  try {
    await egress?.close();
    await group?.release();
  } finally {
    await runtime.slots.release(attempt);
  }
}

import { createMasker } from "../../../base/secret/mask.ts";
import { isPlainStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job, TakeLines } from "../../../engine/executor.ts";
import { writeFixed, writeParameters } from "../../folders/attempt-folder.ts";
import { failed } from "../../steps/outcomes.ts";
import { functionJob, stepEnvironment, stepFiles, stepNames } from "../../steps/step-command.ts";
import { AttemptOutput } from "../../steps/step-output.ts";
import { tooLargeNotes } from "../prepare-steps.ts";
import { type AttemptEnding, type AttemptRun, type AttemptStage, NotBegun, runWatched } from "../run-steps.ts";
import type { KeptSandbox, Served } from "./kept-sandbox.ts";
import type { KeptSandboxes } from "./kept-sandboxes.ts";
import { openSandbox } from "./open-sandbox.ts";

type KeptRun = Omit<AttemptRun, "attempt"> & { onLines: TakeLines; kept: KeptSandboxes };

/** Runs an attempt in a sandbox that has served other jobs with its key, or in a new one that may serve further ones. */
export async function runKept(run: KeptRun, key: string): Promise<AttemptEnding> {
  const { runtime, job, kept } = run;
  const found = await kept.take(key);
  const ending = found && (await runIn(run, found));
  if (ending) return ending;
  const fresh = await openSandbox(runtime, job, { key, heardWithinMs: kept.limits.heardWithinMs });
  kept.admit(fresh);
  return (await runIn(run, fresh)) ?? { verdict: failed("ExecutorError", "the sandbox did not begin with the task"), results: [] };
}

/** @returns undefined: the sandbox has not started the job, and has ended */
async function runIn(given: KeptRun, sandbox: KeptSandbox): Promise<AttemptEnding | undefined> {
  const run = withSecretsOf(sandbox, given);
  const { runtime, job, state } = run;
  const stage: AttemptStage = { ...run, ...sandbox.context, job };
  let served: Served | undefined;
  const prepare = async () => {
    const { file, notes, name, step } = await prepareJob(stage);
    const serve = async () => {
      for (const note of notes) run.output.say(name, note);
      if (job.debug) run.output.say(name, describeBegin(sandbox, runtime.level.name));
      state.step = { name, unit: sandbox.unit };
      served = await sandbox.serve(file, name, run.output);
      if (served === "unheard" && sandbox.jobs > 0 && state.cause === undefined) throw new NotBegun();
      return served === "done" ? { exitCode: 0 } : served === "unheard" ? sandbox.unit.ended : served;
    };
    return [{ name, step, run: serve }];
  };
  sandbox.context.group?.resume();
  runtime.teamAttempts.begin(job.teamId);
  try {
    const ending = await runWatched(stage, prepare);
    // A sandbox is only kept after a job that returned.
    if (state.cause === undefined && served === "done") run.kept.keep(sandbox);
    else await sandbox.end();
    return ending;
  } catch (error) {
    await sandbox.end();
    if (error instanceof NotBegun) return undefined;
    throw error;
  } finally {
    runtime.teamAttempts.end(job.teamId);
  }
}

/** The output of this job may contain secrets that a former job was given. */
function withSecretsOf(sandbox: KeptSandbox, run: KeptRun): KeptRun {
  const { job, onLines } = run;
  if (job.keep?.withSecrets !== true) return run;
  const masker = createMasker(sandbox.remember(job.secrets));
  return { ...run, masker, output: new AttemptOutput(masker, job.limits.outputBytes, onLines) };
}

function describeBegin({ jobs }: KeptSandbox, level: string): string {
  return jobs === 0
    ? `starts, isolated by ${level}`
    : `runs in a sandbox (${level}) that has served ${jobs} ${jobs === 1 ? "job" : "jobs"} before`;
}

/** Only the service can write to this folder, so this is safe while the sandbox runs. */
async function prepareJob({ runtime, job, attempt, egress }: AttemptStage) {
  const step = onlyStep(job);
  const [name = ""] = stepNames(job.steps);
  const view = runtime.level.view(attempt);
  const { variables, leftOut } = stepEnvironment(job, step, view, egress?.variables);
  const file = stepFiles(name).job;
  await Promise.all([writeFixed(attempt, "steps", file, functionJob(job, step, view, variables)), writeParameters(job, attempt)]);
  return { step, name, file: `${view.steps}/${file}`, notes: tooLargeNotes(leftOut) };
}

function onlyStep({ steps: [step] }: Job) {
  if (step === undefined || !isPlainStep(step)) throw new Error("a job without a step can't be kept");
  return step;
}

import type { JobOutcome } from "../../engine/executor.ts";
import { type Attempt, writeFixed, writeParameters } from "../folders/attempt-folder.ts";
import { LimitWatch } from "../folders/limit-watch.ts";
import { makeInnerFolder } from "../folders/make-inner-folder.ts";
import { openVolumes } from "../folders/volume-folders.ts";
import { concludeAttempt, openWorkspaces, watchedFolders } from "../folders/watched-folders.ts";
import { causeOfBreach, judgeOwnFault } from "../machine/judge-fault.ts";
import { stoppedVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { readResultFile } from "../steps/read-results.ts";
import { asSidecar } from "../steps/sidecar-verdicts.ts";
import { stepFiles } from "../steps/step-command.ts";
import { conditionNote, type ReadStepFile, stepTurn } from "../steps/step-turn.ts";
import type { AttemptRun } from "./attempt-run.ts";
import { containersOf, findContainerProcesses } from "./container-processes.ts";
import type { FoundImage } from "./images/images.ts";
import { sidecarOfPlace } from "./labels.ts";
import { openNetwork, removeNetwork } from "./network/attempt-network.ts";
import { fillPrepared, type PreparedStep, prepareSidecars, prepareSteps, writeScripts } from "./prepare-steps.ts";
import { runStep } from "./run-step.ts";
import { resultOwner, shareFolders } from "./share-folders.ts";
import { RunningSidecars } from "./sidecars/run-sidecars.ts";
import { openSidecarFolders, sidecarMounts } from "./sidecars/sidecar-mounts.ts";
import type { Stage } from "./stage.ts";
import { type StepMount, stepMounts } from "./step-mounts.ts";
import { stepRights } from "./step-rights.ts";

/** Runs the steps in order, a container each, and reads what they leave. At the end, what it created is removed in the background. */
export async function runSteps(run: AttemptRun): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const { runtime, job, state } = run;
  const steps = prepareSteps(job);
  const sidecars = prepareSidecars(job);
  const adopted = job.attempt > 1 ? await runtime.leftovers.adopt(job, run.stopped) : undefined;
  const attempt = adopted?.attempt ?? runtime.folders.take(job);
  const folders = watchedFolders(job, attempt, runtime.settings.scratchBytes, runtime.workspaceSizes);
  const watch = new LimitWatch({ folders, findProcesses: findContainerProcesses(runtime.watch, () => containersOf(state)) });
  runtime.teamAttempts.begin(job.teamId);
  try {
    const beganAt = performance.now();
    const [images, network] = await Promise.all([
      findImages(run, [...steps.slice(adopted?.step ?? 0), ...(adopted ? [] : sidecars)]),
      openNetwork(run, attempt, adopted !== undefined),
      adopted ? undefined : fillFolder(run, attempt, steps, sidecars),
    ]);
    const readyAt = performance.now();
    if (run.waits.imagePullMs !== undefined) run.waits.imagePullMs = Math.round(readyAt - beganAt);
    await watch.measure();
    watch.start((breach, error) => run.halt(causeOfBreach(runtime.machine, breach, error), runtime.settings.graceMs));
    const verdict = await runBeside({ ...run, attempt, images, network, adopted, readyAt }, steps, sidecars);
    state.isOver = true;
    watch.stop();
    const owner = resultOwner(job, attempt);
    return await concludeAttempt({ ...run, attempt, watch, sizes: runtime.workspaceSizes, machine: runtime.machine, owner }, verdict);
  } catch (error) {
    const verdict = await judgeOwnFault(error, watch, state);
    await watch.reclaim();
    if (verdict) return { verdict, results: [] };
    throw error;
  } finally {
    state.isOver = true;
    watch.stop();
    runtime.teamAttempts.end(job.teamId);
    removeNetwork(run, attempt);
    runtime.folders.releaseAfter(Promise.all(run.removals), attempt);
  }
}

/** Everything is written before the first step starts, because a step could put links where we write. */
async function fillFolder(
  { job, runtime, stopped }: AttemptRun,
  attempt: Attempt,
  steps: readonly PreparedStep[],
  sidecars: readonly PreparedStep[],
): Promise<void> {
  const all = [...steps, ...sidecars];
  if (all.some(({ step: { privileges } }) => privileges)) {
    const { facts } = await runtime.watch.ask(async (engine) => engine, stopped);
    const check = ({ step }: PreparedStep) => stepRights({ step, identity: attempt.identity, facts, folder: runtime.root.folder });
    for (const prepared of steps) check(prepared);
    for (const prepared of sidecars) asSidecar(prepared.step.name, () => check(prepared));
  }
  await Promise.all([
    writeScripts(attempt, all),
    writeParameters(job, attempt),
    openWorkspaces(job.workspaces, attempt.identity),
    openVolumes(job, attempt),
  ]);
  openSidecarFolders(job, attempt);
  shareFolders(job, attempt);
  const mountsOf = ({ step, index }: PreparedStep): StepMount[] => {
    const sidecar = sidecarOfPlace(index);
    return sidecar === undefined
      ? stepMounts(job, attempt, step)
      : sidecarMounts(job, attempt, job.sidecars?.[sidecar] ?? { name: "" }, sidecar);
  };
  for (const prepared of all) {
    const { workingDir } = prepared;
    const writable = mountsOf(prepared).filter(({ isReadOnly }) => !isReadOnly);
    const mount = writable.find(({ target }) => workingDir.startsWith(`${target}/`));
    if (mount) await makeInnerFolder(mount.source, workingDir.slice(mount.target.length + 1), attempt.identity);
  }
}

/** Runs the steps with the sidecars beside them. */
async function runBeside(stage: Stage, steps: readonly PreparedStep[], prepared: readonly PreparedStep[]): Promise<Verdict> {
  if (prepared.length === 0) return runInOrder(stage, steps);
  const sidecars = new RunningSidecars(stage, prepared);
  try {
    const problem = await sidecars.ready();
    return problem ?? sidecars.describe(await runInOrder(stage, steps));
  } finally {
    await sidecars.end();
  }
}

async function runInOrder(stage: Stage, steps: readonly PreparedStep[]): Promise<Verdict> {
  const { state, job, adopted } = stage;
  for (const prepared of steps.slice(adopted?.step ?? 0)) {
    if (state.cause) break;
    const ended = await takeTurn(stage, prepared);
    if ("verdict" in ended) return ended.verdict;
    // Only for the steps that follow: after the last one nothing is written, since the disk may be full.
    if (prepared !== steps.at(-1)) await writeFixed(stage.attempt, "steps", stepFiles(prepared.name).exitCode, `${ended.exitCode}`);
  }
  return state.cause ? stoppedVerdict(state.cause, undefined, job.timeoutMs) : succeeded;
}

/** @returns the attempt's verdict if it ends with this step; otherwise the exit code with which the attempt continues */
async function takeTurn(stage: Stage, prepared: PreparedStep): Promise<{ verdict: Verdict } | { exitCode: number }> {
  const { state, output, job, attempt, adopted } = stage;
  const { name, step, index } = prepared;
  const results = `${attempt.writable}/results`;
  const read: ReadStepFile = (file, limitBytes) => readResultFile(results, file, limitBytes, resultOwner(job, attempt));
  // A step that was taken over already has its values.
  const turn = adopted?.step === index ? undefined : await stepTurn(step, name, read);
  if (turn && "verdict" in turn) return turn;
  if (turn && "isSkipped" in turn) {
    output.say(name, conditionNote);
    return { exitCode: 0 };
  }
  const verdict = await runStep(stage, turn ? fillPrepared(job, prepared, turn.step) : prepared);
  if (state.cause) return { verdict: stoppedVerdict(state.cause, name, job.timeoutMs) };
  if (verdict.status === "succeeded") return { exitCode: 0 };
  if (step.onError !== "continue" || verdict.exitCode === undefined) return { verdict };
  output.say(name, `${verdict.message}; the task continues, because the step has onError: continue`);
  return { exitCode: verdict.exitCode };
}

/**
 * Finds the images of all steps and sidecars before the first one starts, each once, and records their digests.
 * @returns by their names in the task
 * @throws ImageProblem, EngineAway
 */
async function findImages(run: AttemptRun, steps: readonly PreparedStep[]): Promise<Map<string, FoundImage>> {
  const found = new Map<string, FoundImage>();
  const first = steps.filter(({ image }, index) => steps.findIndex((other) => other.image === image) === index);
  await Promise.all(first.map(async (prepared) => found.set(prepared.image, await findImage(run, prepared))));
  run.place.images = steps.map(({ name, image }) => {
    const digest = found.get(image)?.digest;
    return { step: name, image, ...(digest !== undefined && { digest }) };
  });
  return found;
}

async function findImage(run: AttemptRun, { name, image, step }: PreparedStep): Promise<FoundImage> {
  let beganAt: number | undefined;
  let isPulled = false;
  const begin = (): void => {
    beganAt ??= performance.now();
    run.waits.imagePullMs = 0;
  };
  const found = await run.runtime.images.find({
    image,
    policy: step.pullPolicy,
    teamId: run.job.teamId,
    signal: run.stopped,
    onCheck: begin,
    onPull() {
      begin();
      isPulled = true;
      run.output.say(name, `pulls the image ${image}`);
    },
  });
  if (beganAt !== undefined && isPulled)
    run.output.say(name, `has the image ${found.digest}, after ${Math.round(performance.now() - beganAt) / 1000} s`);
  return found;
}

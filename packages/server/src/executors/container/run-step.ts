import { spawnVerdict, type Verdict } from "../steps/outcomes.ts";
import { type Judged, judgeEnd, judgeEngine, judgeFailure } from "./container-verdict.ts";
import { containerName } from "./labels.ts";
import { OutputStreams } from "./output/output-streams.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import { watchRoot } from "./root-watch.ts";
import type { Stage } from "./stage.ts";
import { startContainer } from "./start-container.ts";
import type { StepContainer } from "./step-container.ts";
import { stepMounts } from "./step-mounts.ts";

/** Runs one step in its container, or continues with the container that another worker has started. */
export async function runStep(stage: Stage, prepared: PreparedStep): Promise<Verdict> {
  const { runtime, state, output, job, attempt } = stage;
  const { name, step } = prepared;
  const unit = containerName(runtime.root, attempt.name, prepared.index);
  stage.place.unit = unit;
  sayFirst(stage, prepared);
  const streams = new OutputStreams();
  output.read(name, runtime.watch.engine?.facts.starter ? "output" : "stdout", streams.stdout);
  output.read(name, "stderr", streams.stderr);
  const container = startStep(stage, prepared, streams);
  state.step = { name, unit: container };
  const { graceMs } = runtime.settings;
  const timer =
    step.timeoutMs === undefined
      ? undefined
      : setTimeout(() => stage.halt({ why: "step-timedout", afterMs: step.timeoutMs ?? 0 }, graceMs), step.timeoutMs);
  const stopWatch = step.hasWritableRoot ? watchRoot(stage, container) : undefined;
  try {
    const { verdict, lastWords } = await judge(stage, prepared, container, streams);
    await streams.end(lastWords);
    if (job.debug) output.say(name, `ended; its container was ${unit}`);
    return verdict;
  } finally {
    clearTimeout(timer);
    stopWatch?.();
    stage.removals.push(runtime.leftovers.remove(container.id ?? unit));
  }
}

function sayFirst({ output, adopted, job, runtime }: Stage, { name, index, notes }: PreparedStep): void {
  if (adopted?.step === index) {
    return output.say(
      name,
      `attempt ${adopted.number} was lost with its worker while this step was in its container; this attempt takes over the container and reads its output from the start`,
    );
  }
  for (const note of notes) output.say(name, note);
  if (job.debug) output.say(name, `starts, isolated by ${runtime.watch.engine?.facts.kind}`);
}

function startStep(stage: Stage, prepared: PreparedStep, streams: OutputStreams): StepContainer {
  const { adopted, job, attempt, waits, readyAt } = stage;
  return startContainer(stage, {
    prepared,
    streams,
    mounts: stepMounts(job, attempt, prepared.step),
    begun: adopted?.step === prepared.index ? adopted.begun : undefined,
    onStart() {
      if (!adopted) waits.startMs ??= Math.round(performance.now() - readyAt);
    },
  });
}

/** How the container of a step or a sidecar ended. */
export async function judge(stage: Stage, prepared: PreparedStep, container: StepContainer, streams: OutputStreams): Promise<Judged> {
  const { watch, machine } = stage.runtime;
  try {
    const end = await container.ended;
    await streams.drain();
    return judgeEnd(prepared, end, stage.output.lastLines().at(-1) ?? "", stage.job, watch.engine?.facts);
  } catch (error) {
    if (machine.blame(error)) return { verdict: spawnVerdict(prepared.name, error as Error) };
    const judged = judgeFailure(error, watch.engine?.address ?? "not known", prepared);
    if (judged) return { ...judged, verdict: await judgeEngine(judged.verdict, error, watch) };
    await streams.end();
    throw error;
  }
}

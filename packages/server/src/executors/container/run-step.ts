import { writeCopyOutput } from "../steps/copy-output.ts";
import { spawnVerdict, type Verdict } from "../steps/outcomes.ts";
import { type Judged, judgeEnd, judgeEngine, judgeFailure } from "./container-verdict.ts";
import type { FoundEngine } from "./engine/engine-watch.ts";
import { coverVolumes } from "./images/image-volumes.ts";
import { containerName } from "./labels.ts";
import { OutputStreams } from "./output-streams.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import { watchRoot } from "./root-watch.ts";
import type { Stage } from "./stage.ts";
import { writePlainStarter, writeStarter } from "./starter/starter.ts";
import { isNameTaken, StepContainer } from "./step-container.ts";
import { type StepMount, stepMounts } from "./step-mounts.ts";
import { imageSpec, stepSpec } from "./step-spec.ts";

/** Runs one step in its container, or goes on with the container that another worker has begun. */
export async function runStep(stage: Stage, prepared: PreparedStep): Promise<Verdict> {
  const { runtime, state, output, job, attempt } = stage;
  const { name, step } = prepared;
  const unit = containerName(runtime.root, attempt.name, prepared.index);
  stage.place.unit = unit;
  sayFirst(stage, prepared);
  const streams = new OutputStreams();
  output.read(name, runtime.watch.engine?.facts.starter ? "output" : "stdout", streams.stdout);
  output.read(name, "stderr", streams.stderr);
  const container = startContainer(stage, prepared, streams);
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

function startContainer(stage: Stage, prepared: PreparedStep, streams: OutputStreams): StepContainer {
  const { runtime, adopted, job, attempt, images, network, waits, readyAt, state } = stage;
  if (adopted) state.hasBegun = true;
  const image = images.get(prepared.image);
  const imageOfStep = { name: prepared.image, id: image?.id ?? prepared.image };
  const own = stepMounts(job, attempt, prepared.step);
  let volumes: readonly StepMount[] | undefined;
  const specOf = (engine: FoundEngine, mounts: readonly StepMount[]) => {
    const teamAttempts = runtime.teamAttempts.count(job.teamId);
    return stepSpec({ job, attempt, prepared, image, mounts, network, root: runtime.root, teamAttempts }, engine.facts);
  };
  return new StepContainer({
    runtime,
    streams,
    signal: stage.stopped,
    begun: adopted?.step === prepared.index ? adopted.begun : undefined,
    async inspect() {
      volumes ??= coverVolumes(attempt, prepared.index, image?.volumes ?? [], own);
      const covered = volumes;
      const inspected = {
        image: imageOfStep,
        targets: [...own, ...covered].map(({ target }) => target).sort(),
        // No step has seen the folders of its volumes.
        spec: (engine: FoundEngine) => imageSpec(specOf(engine, covered), runtime.root, engine.facts),
      };
      await runtime.watch.whileTryingOut(() => runtime.hazards.inspect(runtime.watch, inspected, stage.stopped));
    },
    async create(engine) {
      const { starter } = engine.facts;
      if (starter) writeStarter(attempt, starter);
      if (starter && prepared.step.outputFiles) {
        writeCopyOutput(attempt, starter);
        writePlainStarter(attempt, starter);
      }
      const id = await createOnce(engine, specOf(engine, [...own, ...(volumes ?? [])]));
      // Whether it was started may not be heard.
      state.hasBegun = true;
      return id;
    },
    check: (id) => runtime.hazards.check(runtime.watch, id, prepared.image, stage.stopped),
    onStart() {
      if (!adopted) waits.startMs ??= Math.round(performance.now() - readyAt);
    },
  });
}

/** One of that name has never been started: it was made by a request whose answer got lost. */
async function createOnce({ client }: FoundEngine, spec: ReturnType<typeof stepSpec>): Promise<string> {
  try {
    return await client.create(spec);
  } catch (error) {
    if (!isNameTaken(error) || spec.name === undefined) throw error;
    await client.remove(spec.name);
    return client.create(spec);
  }
}

async function judge(stage: Stage, prepared: PreparedStep, container: StepContainer, streams: OutputStreams): Promise<Judged> {
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

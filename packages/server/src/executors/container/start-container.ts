import { writeCopyOutput } from "../steps/copy-output.ts";
import type { FoundEngine } from "./engine/engine-watch.ts";
import { coverVolumes } from "./images/image-volumes.ts";
import type { BegunContainer } from "./leftovers.ts";
import type { OutputStreams } from "./output/output-streams.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import type { Stage } from "./stage.ts";
import { writePlainStarter, writeStarter } from "./starter/starter.ts";
import { isNameTaken, StepContainer } from "./step-container.ts";
import type { StepMount } from "./step-mounts.ts";
import { imageSpec, stepSpec } from "./step-spec.ts";

interface StartParts {
  prepared: PreparedStep;
  streams: OutputStreams;
  mounts: readonly StepMount[];
  /** The container that another worker has started, if any. */
  begun: BegunContainer | undefined;
  onStart(): void;
}

/** Starts the container of a step or a sidecar, or continues with the one that another worker has started. */
export function startContainer(stage: Stage, { prepared, streams, mounts: own, begun, onStart }: StartParts): StepContainer {
  const { runtime, adopted, job, attempt, images, network, state } = stage;
  if (adopted) state.hasBegun = true;
  const image = images.get(prepared.image);
  const imageOfStep = { name: prepared.image, id: image?.id ?? prepared.image };
  let volumes: readonly StepMount[] | undefined;
  const specOf = (engine: FoundEngine, mounts: readonly StepMount[]) => {
    const teamAttempts = runtime.teamAttempts.count(job.teamId);
    const containers = 1 + (job.sidecars?.length ?? 0);
    return stepSpec({ job, attempt, prepared, image, mounts, network, root: runtime.root, teamAttempts, containers }, engine.facts);
  };
  return new StepContainer({
    runtime,
    streams,
    signal: stage.stopped,
    begun,
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
      // The response to the start may get lost.
      state.hasBegun = true;
      return id;
    },
    check: (id) => runtime.hazards.check(runtime.watch, id, prepared.image, stage.stopped),
    onStart,
  });
}

/** One with that name has never been started: it was created by a request whose response got lost. */
async function createOnce({ client }: FoundEngine, spec: ReturnType<typeof stepSpec>): Promise<string> {
  try {
    return await client.create(spec);
  } catch (error) {
    if (!isNameTaken(error) || spec.name === undefined) throw error;
    await client.remove(spec.name);
    return client.create(spec);
  }
}

import { hostname } from "node:os";
import { join } from "node:path";
import type { Executor, ExecutorState, Job, TakeLines } from "../../engine/executor.ts";
import { openIdentityPool } from "../folders/identity.ts";
import { WorkspaceSizes } from "../folders/watched-folders.ts";
import { neededSpace } from "../machine/disk-space.ts";
import { describeFault } from "../machine/known-fault.ts";
import { MachineWatch } from "../machine/machine-watch.ts";
import { resolvePlace } from "../steps/places.ts";
import { TeamAttempts } from "../steps/team-shares.ts";
import { imageView } from "../steps/view.ts";
import { AttemptFolders } from "./attempt-folders.ts";
import { openAttemptRoot } from "./attempt-root.ts";
import { describeFacts } from "./engine/engine-facts.ts";
import { EngineWatch } from "./engine/engine-watch.ts";
import { Gate } from "./gate.ts";
import { ImageHazards } from "./images/image-hazards.ts";
import { Images } from "./images/images.ts";
import { PublicImages } from "./images/public-images.ts";
import { RegistryCredentials } from "./images/registry-credentials.ts";
import { Leftovers } from "./leftovers.ts";
import { runAttempt } from "./run-attempt.ts";
import type { Runtime } from "./runtime.ts";
import type { ContainerExecutorSettings } from "./settings.ts";

export interface ContainerExecutor extends Executor {
  /** Looks for the engine and for leftovers now instead of in a few seconds. */
  look(): Promise<void>;
  /** Resolves once the containers and folders of finished attempts are removed, which happens in the background. */
  settle(): Promise<void>;
  /** Releases what it holds; no job may be running any more. What it shares with others stays. */
  close(): Promise<void>;
}

const startingAtOnce = 8;
/**
 * A start takes a second on a busy machine. One that takes longer than this, in ms, hangs, and must not delay the starts of other teams.
 */
const startingMs = 10_000;

/**
 * Runs each step in a container of its image, using Docker or Podman. If the engine is unreachable, it is looked for again every few
 * seconds. docs/executors.md describes the limits of a container.
 *
 * @throws StartError if the file with the registries' credentials can't be used
 */
export async function createContainerExecutor(settings: ContainerExecutorSettings): Promise<ContainerExecutor> {
  const credentials = new RegistryCredentials(settings.registriesPath);
  await credentials.check();
  const runtime = await openRuntime(settings, credentials);
  const { watch, leftovers, folders, root, machine } = runtime;
  const look = async (): Promise<void> => {
    await Promise.all([machine.look(), watch.look()]);
    await leftovers.look();
  };
  const settle = async (): Promise<void> => {
    await leftovers.settle();
    await folders.settle();
  };
  await look();
  return {
    kind: "container",
    describe: () => describe(runtime),
    blame: (error) => machine.blame(error),
    place: (job, words) => resolvePlace(words, job, imageView),
    start: (job: Job, onLines: TakeLines) => runAttempt(runtime, job, onLines),
    look,
    settle,
    async close() {
      await settle();
      machine.close();
      watch.close();
      leftovers.close();
      await root.owner.close();
    },
  };
}

async function openRuntime(settings: ContainerExecutorSettings, credentials: RegistryCredentials): Promise<Runtime> {
  const [root, identities] = await Promise.all([openAttemptRoot(settings.scratchDir), openIdentityPool(settings.workspacesDir)]);
  const publicImages = await PublicImages.open(join(root.folder, "public-images"));
  const watch = new EngineWatch(settings, root);
  const folders = new AttemptFolders(root, identities, (error) =>
    settings.log.warn({ err: error }, "the folder of an attempt could not be removed"),
  );
  const { workspacesDir, lookEveryMs, log } = settings;
  const machine = new MachineWatch({ log, lookEveryMs: lookEveryMs?.machine });
  machine.needs([neededSpace(root.attempts), ...(workspacesDir === undefined ? [] : [neededSpace(workspacesDir)])]);
  return {
    settings,
    machine,
    root,
    watch,
    images: new Images(watch, credentials, publicImages, settings),
    hazards: new ImageHazards(),
    folders,
    leftovers: new Leftovers(settings, root, watch, folders),
    starting: new Gate(startingAtOnce, startingMs),
    identities,
    workspaceSizes: new WorkspaceSizes(),
    teamAttempts: new TeamAttempts(),
    host: hostname(),
  };
}

function describe({ watch, machine }: Runtime): ExecutorState {
  const { engine, problem, fault } = watch;
  if (engine === undefined || problem !== undefined) {
    const remedy = "start Docker or Podman, or set MILLRACE_CONTAINER_HOST to its address; the worker looks for it every few seconds";
    const detail = `no container engine can be used: ${problem ?? "none was found"}. ${remedy}`;
    return { available: false, isolation: "none", detail, ...(fault !== undefined && { fault }) };
  }
  if (machine.fault) return describeFault(machine.fault, engine.facts.kind);
  return { available: true, isolation: engine.facts.kind, detail: describeFacts(engine) };
}

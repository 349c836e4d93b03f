import type { Job } from "../../../engine/executor.ts";
import type { Attempt } from "../../folders/attempt-folder.ts";
import type { AttemptRun } from "../attempt-run.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import type { FoundEngine } from "../engine/engine-watch.ts";
import { holderLabels, holderName } from "../labels.ts";
import { isNameTaken } from "../step-container.ts";
import { holderImage, importHolderImage, startPlainHolder } from "./network-holder.ts";

/** The task's network can't be provided here; the message is for people. */
export class NetworkProblem extends Error {}

/** What is passed to the engine as the network; undefined: nothing, so that it uses its default network. */
export type NetworkMode = string | undefined;

/**
 * Prepares the network of an attempt, before its first step.
 * @param isAdopted a lost attempt may have left one
 * @throws NetworkProblem, EngineAway
 */
export async function openNetwork(run: AttemptRun, attempt: Attempt, isAdopted: boolean): Promise<NetworkMode> {
  const { job, runtime, stopped, output } = run;
  if (job.network === "none") return sharedNetwork(run, attempt, isAdopted, "none");
  if (job.network === "host") return sharedNetwork(run, attempt, isAdopted, undefined);
  const { problem, allowsHostNetwork } = (await runtime.watch.ask(async (engine) => engine, stopped)).outbound;
  if (problem !== undefined && !allowsHostNetwork) throw new NetworkProblem(refusal(problem));
  if (problem !== undefined) {
    const words = `the network "outbound" can't be held here (${problem}); these steps reach all that the engine's network reaches`;
    output.say(job.steps[0]?.name ?? "", words);
    return sharedNetwork(run, attempt, isAdopted, undefined);
  }
  try {
    return await holdNetwork(run, attempt, isAdopted, ({ outbound }, name, labels) => outbound.start(name, labels));
  } catch (error) {
    throw error instanceof EngineRefusal ? new NetworkProblem(refusal(error.message)) : error;
  }
}

/**
 * Sidecars and steps reach each other at localhost, so one container of ours has the network that each of them would otherwise have alone.
 */
async function sharedNetwork(run: AttemptRun, attempt: Attempt, isAdopted: boolean, network: "none" | undefined): Promise<NetworkMode> {
  if (!hasSidecars(run.job)) return network;
  try {
    return await holdNetwork(run, attempt, isAdopted, async ({ client, facts }, name, labels) => {
      await importHolderImage(client);
      await startPlainHolder(client, facts, { name, image: holderImage(), labels, network });
    });
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error;
    throw new NetworkProblem(`its steps and sidecars can't share a network here: ${error.message}`);
  }
}

type StartHolder = (engine: FoundEngine, name: string, labels: Record<string, string>) => Promise<void>;

async function holdNetwork(run: AttemptRun, attempt: Attempt, isAdopted: boolean, start: StartHolder): Promise<NetworkMode> {
  const { runtime, stopped } = run;
  const name = holderName(runtime.root, attempt.name);
  await runtime.watch.ask(async (engine) => {
    if (!(isAdopted && (await isRunning(engine, name)))) await startOnce(engine, run, attempt, name, start);
  }, stopped);
  return `container:${name}`;
}

function hasSidecars({ sidecars = [] }: Pick<Job, "sidecars">): boolean {
  return sidecars.length > 0;
}

/** After the steps: Podman does not remove a container whose network others share. */
export function removeNetwork({ runtime, job, removals }: AttemptRun, attempt: Attempt): void {
  if (job.network !== "outbound" && !hasSidecars(job)) return;
  removals.push(Promise.all([...removals]).then(() => runtime.leftovers.remove(holderName(runtime.root, attempt.name))));
}

function refusal(problem: string): string {
  return (
    `its network is "outbound", which can't be held here: ${problem}. The machine of the container engine needs nft (package nftables) in /usr; ` +
    "MILLRACE_ALLOW_HOST_NETWORK=true would run it with all that the engine's network reaches"
  );
}

async function startOnce(engine: FoundEngine, run: AttemptRun, attempt: Attempt, name: string, start: StartHolder): Promise<void> {
  const labels = holderLabels(run.runtime.root, run.job, attempt.name);
  const begin = (): Promise<void> => run.runtime.starting.pass(() => start(engine, name, labels));
  try {
    await begin();
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    await engine.client.remove(name);
    await begin();
  }
}

async function isRunning({ client }: FoundEngine, name: string): Promise<boolean> {
  return client.state(name).then(
    ({ Running }) => Running,
    (error) => {
      if (error instanceof EngineRefusal) return false;
      throw error;
    },
  );
}

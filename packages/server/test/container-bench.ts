import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../src/engine/executor.ts";
import { type ContainerExecutor, createContainerExecutor } from "../src/executors/container/container-executor.ts";
import type { ContainerExecutorSettings } from "../src/executors/container/settings.ts";
import type { Bench } from "../src/executors/exercise/scenario.ts";
import type { ContainerEngine } from "./container-engine.ts";
import { taskImage } from "./task-image.ts";

/** A container executor under test with an engine of its own. */
export interface ContainerBench extends Bench {
  executor: ContainerExecutor;
  adapt(job: Job): Job;
  scratchDir: string;
  close(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined };
/** A variable that this process was started with: one that is set later is not in /proc. */
const environmentText = readFileSync("/proc/self/environ", "latin1").match(/(?:VITEST|npm_|NODE_)[^\0=]*=[^\0]+/)?.[0] ?? "PWD=";

/** Loads the image of tests into the engine, if it is not there yet, and opens an executor on it. */
export async function openContainerBench(engine: ContainerEngine, more: Partial<ContainerExecutorSettings> = {}): Promise<ContainerBench> {
  const { tar, name } = await taskImage();
  const isThere = await engine.docker
    .getImage(name)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (!isThere) await engine.importImage(tar, name);
  const [privateDir, workspacesDir, scratchDir] = ["data", "workspaces", "scratch"].map((part) => join(engine.folder, `test-${part}`)) as [
    string,
    string,
    string,
  ];
  await mkdir(privateDir, { recursive: true, mode: 0o700 });
  await mkdir(workspacesDir, { recursive: true, mode: 0o711 });
  const settings = { scratchDir, addresses: [`unix://${engine.socketPath}`], graceMs: 300, log: silent, scratchBytes: 30_000_000, ...more };
  const executor = await createContainerExecutor(settings);
  const { available, detail } = executor.describe();
  if (!available) throw new Error(detail);
  return {
    executor,
    scratchDir,
    privateDir,
    workspacesDir,
    environmentText,
    promises: {
      files: true,
      network: true,
      processes: true,
      memory: engine.kind === "docker",
      processCount: true,
      programs: false,
      workspaceSizes: true,
      endsOnShutdown: true,
      loopback: false,
    },
    adapt: (job) => withImage(job, name),
    async leftovers() {
      await executor.settle();
      return findLeftovers(engine, scratchDir);
    },
    close: () => executor.close(),
  };
}

function withImage(job: Job, image: string): Job {
  const steps = job.steps.map((step) => ({
    ...step,
    image: step.image ?? image,
    env: [{ name: "NODE", value: "/usr/local/bin/node" }, ...(step.env ?? [])],
  }));
  return { ...job, steps };
}

async function findLeftovers({ docker }: ContainerEngine, scratchDir: string): Promise<string[]> {
  const [containers, folders] = await Promise.all([
    docker.listContainers({ all: true }),
    readdir(join(scratchDir, "containers", "attempts")),
  ]);
  return [...containers.map(({ Names, State }) => `container ${Names.join()} ${State}`), ...folders.map((name) => `folder ${name}`)];
}

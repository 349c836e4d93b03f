import { readFileSync } from "node:fs";
import { chmod, chown, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job } from "../../../src/engine/executor.ts";
import { type ContainerExecutor, createContainerExecutor } from "../../../src/executors/container/container-executor.ts";
import type { ContainerExecutorSettings } from "../../../src/executors/container/settings.ts";
import type { Bench } from "../../../src/executors/exercise/scenario.ts";
import { buildProgram } from "../build-program.ts";
import { testImageRules, testOutbound } from "../worker/executor-environment.ts";
import { openRemoteExecutor } from "../worker/remote-executor.ts";
import { daemonEnvironment } from "./container-daemon.ts";
import type { ContainerEngine } from "./container-engine.ts";
import { asRootlessUser, rootlessUser } from "./rootless-user.ts";
import { taskImage } from "./task-image.ts";

/** A container executor under test with an engine of its own. */
export interface ContainerBench extends Bench {
  executor: ContainerExecutor;
  adapt(job: Job): Job;
  scratchDir: string;
  close(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined };
/** A variable that this process was started with, because one that is set later is not in /proc. */
const environmentText = readFileSync("/proc/self/environ", "latin1").match(/(?:VITEST|npm_|NODE_)[^\0=]*=[^\0]+/)?.[0] ?? "PWD=";

/** Loads the test image into the engine, unless it is loaded already, and opens an executor on it. */
export async function openContainerBench(engine: ContainerEngine, more: Partial<ContainerExecutorSettings> = {}): Promise<ContainerBench> {
  const { settings, image, ...folders } = await prepareBench(engine);
  const executor = await createContainerExecutor({ ...settings, outbound: testOutbound, log: silent, ...more });
  return benchOf(engine, executor, image, { ...folders, scratchDir: settings.scratchDir });
}

/** The same without root: engine and executor are processes of a normal user. */
export async function openRootlessBench(engine: ContainerEngine): Promise<Bench & { close(): Promise<void> }> {
  return openUserBench(engine, asRootlessUser(engine.folder), daemonEnvironment(engine.folder, { isRootless: true }));
}

/** The executor is a process of a normal user whom root's engine allows to use its socket. */
export async function openSocketUserBench(engine: ContainerEngine): Promise<Bench & { close(): Promise<void> }> {
  await Promise.all([chmod(engine.folder, 0o711), chmod(engine.socketPath, 0o666)]);
  const { uid, gid } = rootlessUser;
  return openUserBench(engine, ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"], daemonEnvironment(engine.folder, {}));
}

async function openUserBench(engine: ContainerEngine, become: readonly string[], environment: NodeJS.ProcessEnv) {
  const { settings, image, ...folders } = await prepareBench(engine, "user");
  const { uid, gid } = rootlessUser;
  await mkdir(settings.scratchDir);
  await Promise.all([settings.scratchDir, ...Object.values(folders)].map((folder) => chown(folder, uid, gid)));
  const program = await buildProgram(fileURLToPath(new URL("../../processes/remote-executor-program.ts", import.meta.url)), ["tar-stream"]);
  const env = { ...environment, MILLRACE_TEST_MARK: "environment-of-the-service" };
  const executor = await openRemoteExecutor([...become, process.execPath, program], settings, env);
  const bench = benchOf(engine, executor, image, { ...folders, scratchDir: settings.scratchDir });
  const close = async (): Promise<void> => {
    await executor.close();
    await rm(program, { force: true });
  };
  // A user session has limits to apply if the machine has cgroup version 2 and delegates it, which ours does not.
  const promises = { ...bench.promises, memory: false, processCount: false };
  return Object.assign(bench, { promises, environmentText: env.MILLRACE_TEST_MARK, close });
}

/** @param of the owner of the folders: several executors may share an engine */
async function prepareBench(engine: ContainerEngine, of = "test") {
  const { tar, name: image } = await taskImage();
  const isThere = await engine.docker
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (!isThere) await engine.importImage(tar, image);
  const folderOf = (part: string): string => join(engine.folder, `${of}-${part}`);
  const [privateDir, workspacesDir, scratchDir] = [folderOf("data"), folderOf("workspaces"), folderOf("scratch")];
  await mkdir(privateDir, { recursive: true, mode: 0o700 });
  await mkdir(workspacesDir, { recursive: true, mode: 0o711 });
  const settings = {
    scratchDir,
    addresses: [`unix://${engine.socketPath}`],
    graceMs: 300,
    sidecarReadyMs: 6_000,
    scratchBytes: 30_000_000,
    imageRules: testImageRules,
  };
  return { settings, image, privateDir, workspacesDir };
}

function benchOf<T extends Pick<ContainerExecutor, "describe" | "settle" | "close">>(
  engine: ContainerEngine,
  executor: T,
  image: string,
  folders: { privateDir: string; workspacesDir: string; scratchDir: string },
) {
  const { available, detail } = executor.describe();
  if (!available) throw new Error(detail);
  return {
    executor,
    ...folders,
    environmentText,
    promises: {
      files: true,
      network: true,
      processes: true,
      memory: engine.kind === "docker",
      processCount: true,
      sidecars: true,
      programs: false,
      workspaceSizes: true,
      scratchSizes: true,
      // A service that is root sees them all; the engine itself may run without root.
      openFiles: process.getuid?.() === 0,
      endsOnShutdown: true,
      loopback: false,
      ownMounts: false,
    },
    adapt: (job: Job) => withImage(job, image),
    async leftovers() {
      await executor.settle();
      return findLeftovers(engine, folders.scratchDir);
    },
    close: () => executor.close(),
  };
}

function withImage(job: Job, image: string): Job {
  const adapt = <S extends Pick<Job["steps"][number], "image" | "env">>(step: S): S => ({
    ...step,
    image: step.image ?? image,
    env: [{ name: "NODE", value: "/usr/local/bin/node" }, ...(step.env ?? [])],
  });
  return { ...job, steps: job.steps.map(adapt), ...(job.sidecars && { sidecars: job.sidecars.map(adapt) }) };
}

async function findLeftovers({ docker }: ContainerEngine, scratchDir: string): Promise<string[]> {
  const [containers, folders] = await Promise.all([
    docker.listContainers({ all: true }),
    readdir(join(scratchDir, "containers", "attempts")),
  ]);
  return [...containers.map(({ Names, State }) => `container ${Names.join()} ${State}`), ...folders.map((name) => `folder ${name}`)];
}

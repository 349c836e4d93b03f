import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, openSync } from "node:fs";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { type EngineKind, type EngineOptions, engineTier } from "../run/engine-options.ts";
import { isRequiredTier, isTierLeftOut } from "../suite/test-tier.ts";
import { until } from "../until.ts";
import {
  daemonCommand,
  daemonEnvironment,
  folderPrefix,
  networkOf,
  prepareFolder,
  removeDeadFolders,
  removeFolder,
} from "./container-daemon.ts";

/**
 * A container engine for one test: it has its own daemon, data, socket and network, so several test files may have one at the same time,
 * and the machine's own engine is not affected. It is below /tmp whatever `TMPDIR` says, since the path of a socket may have about 100
 * characters. If the process that started it dies, the kernel ends the daemon.
 */
export interface ContainerEngine {
  kind: EngineKind;
  /** Name and version, to display. */
  version: string;
  /** Folder of this engine; a test may store more in it. */
  folder: string;
  socketPath: string;
  /** Name of its network namespace: `nsenter --net=/run/netns/NAME` reaches the addresses of its containers. */
  networkName: string;
  docker: Docker;
  /** @param tar path of a root file system, not of a saved image */
  importImage(tar: string, name: string): Promise<void>;
  /** Ends the daemon cleanly, or as a crash does. */
  stopDaemon(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  startDaemon(): Promise<void>;
  restart(): Promise<void>;
  /** Removes its containers, then the daemon, then its data. */
  close(): Promise<void>;
}

const programs: Record<EngineKind, string[]> = {
  docker: ["dockerd", "containerd", "runc", "iptables"],
  podman: ["podman", "conmon", "runc", "netavark"],
};
const rootlessPrograms = ["newuidmap", "newgidmap", "slirp4netns", "unshare", "mount"];

/** @returns the engine, or the reason why this machine can't have one */
export async function startContainerEngine(kind: EngineKind, options: EngineOptions = {}): Promise<ContainerEngine | { why: string }> {
  const why = await findObstacle(kind, options);
  if (why !== undefined) return { why };
  await removeDeadFolders();
  const folder = await mkdtemp(folderPrefix);
  const engine = openEngine(kind, folder, options);
  try {
    await engine.prepare();
    await engine.startDaemon();
    const { Version } = await engine.docker.version();
    return { ...engine, version: `${kind} ${Version}` };
  } catch (error) {
    const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
    await engine.close();
    return { why: `${kind} does not start here: ${(error as Error).message}; ${log.trim().split("\n").slice(-3).join(" | ")}` };
  }
}

async function findObstacle(kind: EngineKind, options: EngineOptions): Promise<string | undefined> {
  if (isTierLeftOut(engineTier(kind, options))) return "MILLRACE_TEST_WITHOUT leaves it out";
  // With fifty tasks at once its service has been seen to exit; until the cause is known, it runs only where it is requested.
  if (options.isRootless && !isRequiredTier("podman-rootless")) return "only where MILLRACE_TEST_REQUIRE names podman-rootless";
  if (process.getuid?.() !== 0) return `a ${kind} of its own takes root`;
  const missing = [];
  for (const program of [...programs[kind], ...(options.isRootless ? rootlessPrograms : []), "nsenter", "setpriv", "ip"])
    if (!(await isInstalled(program))) missing.push(program);
  return missing.length > 0 ? `${kind} can't be started: ${missing.join(", ")} not installed` : undefined;
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/libexec/podman", "/usr/lib/podman"];
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, program)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

function openEngine(kind: EngineKind, folder: string, options: EngineOptions) {
  const networkName = networkOf(folder);
  const socketPath = join(folder, "s");
  const docker = new Docker({ socketPath });
  let daemon: ChildProcess | undefined;

  const startDaemon = async (): Promise<void> => {
    const log = openSync(join(folder, "log"), "a");
    const [program = "", ...args] = daemonCommand(kind, folder, options);
    const child = spawn(program, args, { stdio: ["ignore", log, log], env: daemonEnvironment(folder, options) });
    daemon = child;
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
        return docker.ping().then(
          () => true,
          () => false,
        );
      },
      `${kind} answers`,
      30_000,
    );
  };
  const stopDaemon = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    const child = daemon;
    daemon = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    // Without an init process that reaps orphans, the daemon would take its dead containerd for a running one.
    for (const path of [socketPath, join(folder, "pid"), join(folder, "x/containerd/containerd.pid")]) await rm(path, { force: true });
  };
  return {
    kind,
    folder,
    socketPath,
    networkName,
    docker,
    prepare: () => prepareFolder(kind, folder, options),
    startDaemon,
    stopDaemon,
    restart: async () => {
      await stopDaemon();
      await startDaemon();
    },
    importImage: (tar: string, name: string) => importImage(docker, kind, tar, name),
    async close() {
      if (daemon === undefined) await startDaemon().catch(() => undefined);
      await removeContainers(docker).catch(() => undefined);
      await stopDaemon();
      await removeFolder(folder);
    },
  };
}

/** Podman does not accept a tag beside the name: the image would be called `latest`. */
async function importImage(docker: Docker, kind: EngineKind, tar: string, name: string): Promise<void> {
  const [, repo = name, tag = "latest"] = /^(.*):([^:/]+)$/.exec(name) ?? [];
  const answer = await docker.importImage(createReadStream(tar), kind === "podman" ? { repo: name } : { repo, tag });
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(answer as NodeJS.ReadableStream, (error) => (error ? reject(error) : resolve()));
  });
}

async function removeContainers(docker: Docker): Promise<void> {
  const all = await docker.listContainers({ all: true });
  await Promise.all(all.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
}

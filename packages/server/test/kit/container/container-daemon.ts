import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EngineKind, EngineOptions } from "../run/engine-options.ts";
import { asRootlessUser, prepareRootlessUser, rootlessUser } from "./rootless-user.ts";

const run = promisify(execFile);

/** The folder of one daemon below /tmp: its settings, and a list of what to clean up after it. The name contains its owner. */
export const folderPrefix = `/tmp/mre-${process.pid}-`;

/** Cleans up after test processes that were killed; the kernel has ended their daemons. */
export async function removeDeadFolders(): Promise<void> {
  for (const name of await readdir("/tmp")) {
    const pid = /^mre-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await removeFolder(`/tmp/${name}`);
  }
}

/** Ends whatever still runs for this folder, and removes its network, mounts and files. */
export async function removeFolder(folder: string): Promise<void> {
  await endStrays(folder);
  await endPause(folder);
  await run("ip", ["netns", "delete", networkOf(folder)]).catch(() => undefined);
  await unmountBelow(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

export function networkOf(folder: string): string {
  return folder.replace("/tmp/", "");
}

/** The complete command line; the kernel ends the command together with this process. */
export function daemonCommand(kind: EngineKind, folder: string, { isRootless }: EngineOptions): string[] {
  const command = kind === "docker" ? dockerCommand(folder) : podmanCommand(folder);
  const place = isRootless ? asRootlessUser(folder) : ["nsenter", `--net=/run/netns/${networkOf(folder)}`];
  return ["setpriv", "--pdeathsig", "TERM", ...place, ...command];
}

export function daemonEnvironment(folder: string, { isRootless }: EngineOptions): Record<string, string> {
  return {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: folder,
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_REGISTRIES_CONF: join(folder, "registries.conf"),
    // Only for a user's session: if it were set for root, runc would expect the folder to exist.
    ...(isRootless && { XDG_RUNTIME_DIR: join(folder, "session") }),
  };
}

export async function prepareFolder(kind: EngineKind, folder: string, options: EngineOptions): Promise<void> {
  await run("chmod", ["711", folder]);
  await mkdir(join(folder, "data"));
  if (options.diskBytes !== undefined) await run("mount", ["-t", "tmpfs", "-o", `size=${options.diskBytes}`, "none", join(folder, "data")]);
  await (kind === "docker" ? writeDockerSettings(folder, options) : writePodmanSettings(folder));
  if (options.isRootless) {
    // A rootless engine has networks of its own.
    await prepareRootlessUser(folder);
    await run("chown", ["-R", `${rootlessUser.uid}:${rootlessUser.gid}`, folder]);
    return;
  }
  await run("ip", ["netns", "add", networkOf(folder)]);
  await run("nsenter", [`--net=/run/netns/${networkOf(folder)}`, "ip", "link", "set", "lo", "up"]);
}

async function writeDockerSettings(folder: string, options: EngineOptions): Promise<void> {
  const settings = {
    "data-root": join(folder, "data"),
    "exec-root": join(folder, "x"),
    pidfile: join(folder, "pid"),
    hosts: [`unix://${join(folder, "s")}`],
    bip: "172.30.0.1/24",
    "storage-driver": "overlay2",
    "shutdown-timeout": 1,
    "live-restore": options.isLiveRestore === true,
  };
  await writeFile(join(folder, "daemon.json"), JSON.stringify(settings));
}

function dockerCommand(folder: string): string[] {
  return ["dockerd", "--config-file", join(folder, "daemon.json")];
}

/**
 * Locks are files, because locks in shared memory would be shared by all instances of the machine. The limits are ones that a shell without
 * CAP_SYS_RESOURCE may set.
 */
async function writePodmanSettings(folder: string): Promise<void> {
  const settings = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
lock_type = "file"
tmp_dir = "${join(folder, "x")}"
[network]
network_config_dir = "${join(folder, "networks")}"
`;
  await writeFile(join(folder, "containers.conf"), settings);
  // Docker accepts plain HTTP from loopback by default.
  await writeFile(join(folder, "registries.conf"), '[[registry]]\nlocation = "127.0.0.1:5000"\ninsecure = true\n');
}

function podmanCommand(folder: string): string[] {
  const places = ["--root", join(folder, "data"), "--runroot", join(folder, "run"), "--storage-driver", "overlay"];
  return ["podman", ...places, "system", "service", "--time=0", `unix://${join(folder, "s")}`];
}

/** Processes that a crashed daemon left running: its containerd, shims and monitors have the folder in their arguments. */
async function endStrays(folder: string): Promise<void> {
  const { stdout } = await run("ps", ["-eo", "pid=,args="]);
  const strays = stdout.split("\n").filter((line) => line.includes(`${folder}/`) && !line.includes("ps -eo"));
  for (const line of strays) {
    try {
      process.kill(Number.parseInt(line, 10), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/** Without root, Podman keeps its user namespace alive with a process that does not name the folder. */
async function endPause(folder: string): Promise<void> {
  const pid = Number(await readFile(join(folder, "x/pause.pid"), "utf8").catch(() => ""));
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (pid > 0 && /^(catatonit|podman)/.test(name)) process.kill(pid, "SIGKILL");
}

async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" ")[1] ?? "");
  for (const mount of mounts.filter((path) => path.startsWith(`${folder}/`)).reverse())
    await run("umount", ["-l", mount]).catch(() => undefined);
}

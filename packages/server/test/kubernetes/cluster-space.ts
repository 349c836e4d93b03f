import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./run-command.ts";

/**
 * A machine within the machine: its own mounts, processes and network, held by one process. When that process ends, at the latest with the
 * test run that started it, the kernel kills everything that runs inside and removes its mounts, its network and its end of the cable. Only
 * a folder and control groups are left.
 *
 * Programs inside find /run and /var/lib empty: these are folders of the test, so that the machine's own engines are not affected.
 */
export interface ClusterSpace {
  folder: string;
  /** Process id of the holder as the machine sees it. */
  holder: number;
  /** The machine's address on the cable: programs and pods inside reach the tests there. */
  hostAddress: string;
  /** Address inside, where the tests reach the cluster. */
  nodeAddress: string;
  /** Addresses of pods; the machine has a route to them. */
  podRange: string;
  /** Name of the machine's end of the cable. */
  cable: string;
}

const serviceAddress = "10.96.0.1";
const privateFolders = ["run", "var/lib", "var/log"];

/** @throws {Error} if the kernel or the user's permissions do not allow it; the message contains the command that failed */
export async function openSpace(folder: string): Promise<ClusterSpace & { close(): Promise<void> }> {
  for (const name of privateFolders) mkdirSync(join(folder, "root", name), { recursive: true });
  const binds = privateFolders.map((name) => `mount --bind '${folder}/root/${name}' '/${name}'`);
  // As process 1 it also reaps orphans: wait does so for any child.
  const script = `set -e; ${binds.join("; ")}; echo ready; sleep infinity & wait`;
  const unshare = ["unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc", "--net"];
  const outer = spawn("setpriv", ["--pdeathsig", "KILL", ...unshare, "sh", "-c", script], { stdio: ["ignore", "pipe", "pipe"] });
  await untilReady(outer);
  const holder = Number((await readFile(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8")).trim());
  const space = { folder, holder, ...(await connect(holder)) };
  return { ...space, close: () => closeSpace(outer, space) };
}

/** Process 1 of the space, and with it `unshare`, ends only when everything inside has ended. */
async function closeSpace(outer: ChildProcess, { holder, cable }: ClusterSpace): Promise<void> {
  await runCommand("ip", ["link", "delete", cable]).catch(() => undefined);
  if (outer.exitCode !== null || outer.signalCode !== null) return;
  const hasEnded = once(outer, "exit");
  process.kill(holder, "SIGKILL");
  await hasEnded;
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on("data", () => resolve());
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`unshare ended with ${code}: ${said.trim()}`)));
  });
}

type Connection = Omit<ClusterSpace, "folder" | "holder">;

/** A cable from the machine into the space, with unused addresses: only the process that manages to create that link gets them. */
async function connect(holder: number): Promise<Connection> {
  for (let tries = 0; tries < 200; tries++) {
    const number = (process.pid + tries) % 200;
    const cable = `millrace${number}`;
    const peer = ["peer", "name", "eth0", "netns", String(holder)];
    const problem = await runCommand("ip", ["link", "add", cable, "type", "veth", ...peer]).then(
      () => undefined,
      (error: Error) => error,
    );
    if (problem === undefined) return setAddresses(holder, { number, cable });
    if (!/exists/i.test(problem.message)) throw problem;
  }
  throw new Error("all ranges below 10.213.0.0/16 are in use by other test clusters");
}

async function setAddresses(holder: number, { number, cable }: { number: number; cable: string }): Promise<Connection> {
  const hostAddress = `10.213.${number}.1`;
  const nodeAddress = `10.213.${number}.2`;
  const podRange = `10.214.${number}.0/24`;
  await runCommand("ip", ["address", "add", `${hostAddress}/30`, "dev", cable]);
  await runCommand("ip", ["link", "set", cable, "up"]);
  const commands = [
    "ip link set lo up",
    // The address of the service `kubernetes`: there is no proxy for services, so the API listens on it itself.
    `ip address add ${serviceAddress}/32 dev lo`,
    `ip address add ${nodeAddress}/30 dev eth0`,
    "ip link set eth0 up",
    `ip route add default via ${hostAddress}`,
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
  ];
  await runInside(holder, ["sh", "-c", commands.join(" && ")]);
  await runCommand("ip", ["route", "replace", podRange, "via", nodeAddress]);
  return { hostAddress, nodeAddress, podRange, cable };
}

function enter(holder: number, command: string[]): string[] {
  return ["--target", String(holder), "--mount", "--pid", "--net", "--", ...command];
}

/** Runs a command inside to its end. */
export function runInside(holder: number, command: string[]): Promise<string> {
  return runCommand("nsenter", enter(holder, command));
}

/**
 * Starts a program that keeps running inside, even after the caller ends. Its output goes to `NAME.log` in the folder, its process ID
 * inside to `NAME.pid`.
 */
export function startInside({ folder, holder }: ClusterSpace, name: string, command: string[]): void {
  const log = openSync(join(folder, `${name}.log`), "a");
  const script = `echo $$ > '${folder}/${name}.pid'; exec "$@"`;
  const args = enter(holder, ["sh", "-c", script, "sh", ...command]);
  const child = spawn("nsenter", args, { stdio: ["ignore", log, log], detached: true, cwd: folder });
  child.on("error", () => undefined);
  child.unref();
  closeSync(log);
}

/** Kills a program inside; safe to call if it does not run. */
export async function killInside({ folder, holder }: ClusterSpace, name: string): Promise<void> {
  const file = join(folder, `${name}.pid`);
  const pid = await readFile(file, "utf8").catch(() => undefined);
  if (pid === undefined) return;
  const script = `kill -KILL ${pid.trim()} 2>/dev/null; while kill -0 ${pid.trim()} 2>/dev/null; do sleep 0.05; done`;
  await runInside(holder, ["sh", "-c", script]);
  await rm(file, { force: true });
}

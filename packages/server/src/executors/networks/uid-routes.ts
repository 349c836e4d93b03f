import { existsSync } from "node:fs";
import { release } from "node:os";
import { type UserRange, usersBeside } from "../folders/identity.ts";
import { runTool, type ToolEnd } from "../folders/run-tool.ts";

/**
 * Keeps the users of steps from every route that leaves the machine, by rules of its routing (`ip rule`). The packet filter knows the user of
 * a packet by the open file of its socket (uid-filter.ts), and some packets have none: those of a connection that nobody has accepted yet,
 * the rest of one that was closed before all of it was sent, and those of sockets that the kernel makes for itself. The kernel still knows
 * whose they are when it looks for a route. What stays within the machine does not get here: its own addresses come before these rules.
 *
 * The rule that closes is the same for all services of a machine; nobody else has these users.
 */

/** Users with the network of the machine pass by it: services use different places for that, so that they do not meet. */
const passes = 20_000;
const passCount = 100;
const closing = 20_100;
/** Fits nobody; it is where those who pass go on. */
const beyond = 20_101;
const nobody: UserRange = { first: 4_294_967_294, last: 4_294_967_294 };

/** Older kernels overlook the users of a rule, and apply it to everyone. */
const firstKernel = { major: 4, minor: 10 };

/** @returns what went wrong */
export async function closeRoutes(uid: number): Promise<string | undefined> {
  const [major = 0, minor = 0] = release().split(".").map(Number.parseFloat);
  if (major < firstKernel.major || (major === firstKernel.major && minor < firstKernel.minor))
    return "the kernel has no routing rules for users";
  return (await change("add", beyond, nobody, ["prohibit"])) ?? change("add", closing, usersBeside(uid), ["prohibit"]);
}

/** After the last service of this machine. Each call of the program removes one rule of a place, and there is one for each range of users. */
export async function removeRoutes(): Promise<void> {
  for (const place of [closing, beyond]) {
    let isGone = false;
    while (!isGone) isGone = (await inFamilies(["rule", "del", "pref", `${place}`])).every(({ code }) => code !== 0);
  }
}

/** @returns what went wrong */
export function openRoute(uid: number): Promise<string | undefined> {
  return pass("add", uid, process.pid);
}

/** @param pid of a process that is dead, if not this one */
export async function closeRoute(uid: number, pid = process.pid): Promise<void> {
  await pass("del", uid, pid);
}

function pass(what: "add" | "del", uid: number, pid: number): Promise<string | undefined> {
  return change(what, passes + (pid % passCount), { first: uid, last: uid }, ["goto", `${beyond}`]);
}

async function change(what: "add" | "del", place: number, { first, last }: UserRange, action: string[]): Promise<string | undefined> {
  const ends = await inFamilies(["rule", what, "pref", `${place}`, "uidrange", `${first}-${last}`, ...action]);
  // Another service has set the same.
  const failed = ends.find(({ code, stderr }) => code !== 0 && !stderr.includes("File exists"));
  return failed && `ip: ${failed.stderr.trim().split("\n")[0] || `exit code ${failed.code}`}`;
}

function inFamilies(args: readonly string[]): Promise<ToolEnd[]> {
  const families = existsSync("/proc/net/if_inet6") ? ["-4", "-6"] : ["-4"];
  return Promise.all(families.map((family) => runTool("ip", [family, ...args])));
}

import { existsSync } from "node:fs";
import { release } from "node:os";
import { type UserRange, usersBeside } from "../folders/identity.ts";
import { runTool, type ToolEnd } from "../folders/run-tool.ts";

/**
 * Keeps the users of steps from every route that leaves the machine, with routing rules (`ip rule`). The packet filter finds the user of a
 * packet by the open file of its socket (uid-filter.ts), and some packets have none: those of a connection that was not accepted yet, the
 * rest of one that was closed before everything was sent, and those of sockets that the kernel creates for itself. When the kernel looks
 * for a route, it still knows the user. Packets within the machine are not affected: rules for its own addresses come before these.
 *
 * The closing rule is the same for all services of a machine; nothing else uses these ids.
 */

/**
 * Rules for users with the network of the machine, which skip the closing rule. Services use different positions, so that they don't
 * conflict.
 */
const passes = 20_000;
const passCount = 100;
const closing = 20_100;
/** Matches no user; the target of the rules that skip. */
const beyond = 20_101;
const nobody: UserRange = { first: 4_294_967_294, last: 4_294_967_294 };

/** Older kernels ignore the users of a rule, and apply it to everyone. */
const firstKernel = { major: 4, minor: 10 };

/** @returns what went wrong, if anything */
export async function closeRoutes(uid: number): Promise<string | undefined> {
  const [major = 0, minor = 0] = release().split(".").map(Number.parseFloat);
  if (major < firstKernel.major || (major === firstKernel.major && minor < firstKernel.minor))
    return "the kernel has no routing rules for users";
  return (await change("add", beyond, nobody, ["prohibit"])) ?? change("add", closing, usersBeside(uid), ["prohibit"]);
}

/**
 * After the last service of this machine. Each call of the program removes one rule at a position, and there is one for each range of
 * users.
 */
export async function removeRoutes(): Promise<void> {
  for (const place of [closing, beyond]) {
    let isGone = false;
    while (!isGone) isGone = (await inFamilies(["rule", "del", "pref", `${place}`])).every(({ code }) => code !== 0);
  }
}

/** @returns what went wrong, if anything */
export function openRoute(uid: number): Promise<string | undefined> {
  return pass("add", uid, process.pid);
}

/** @param pid of a dead process, if not of this one */
export async function closeRoute(uid: number, pid = process.pid): Promise<void> {
  await pass("del", uid, pid);
}

function pass(what: "add" | "del", uid: number, pid: number): Promise<string | undefined> {
  return change(what, passes + (pid % passCount), { first: uid, last: uid }, ["goto", `${beyond}`]);
}

async function change(what: "add" | "del", place: number, { first, last }: UserRange, action: string[]): Promise<string | undefined> {
  const ends = await inFamilies(["rule", what, "pref", `${place}`, "uidrange", `${first}-${last}`, ...action]);
  // Another service has set the same rule.
  const failed = ends.find(({ code, stderr }) => code !== 0 && !stderr.includes("File exists"));
  return failed && `ip: ${failed.stderr.trim().split("\n")[0] || `exit code ${failed.code}`}`;
}

function inFamilies(args: readonly string[]): Promise<ToolEnd[]> {
  const families = existsSync("/proc/net/if_inet6") ? ["-4", "-6"] : ["-4"];
  return Promise.all(families.map((family) => runTool("ip", [family, ...args])));
}

import { StartError } from "../base/error/start-error.ts";
import { settings } from "./settings.ts";

/**
 * Holds the names of the environment against the table.
 * @returns warnings
 * @throws StartError on a name that is only almost right, because nothing else would tell
 */
export function checkNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settings).map((setting) => setting.name);
  const ours = Object.keys(env).filter((name) => name.startsWith("MILLRACE_") && !name.startsWith("MILLRACE_TEST_"));
  const links = ours.filter((name) => isServiceLink(name, env[name]));
  const unknown = ours.find((name) => !known.includes(name) && !links.includes(name));
  if (unknown !== undefined)
    throw new StartError(`Unknown setting ${unknown}; did you mean ${findNearest(unknown, known)}? See docs/configuration.md`);
  if (links.length === 0) return [];
  return [`ignored variables that Kubernetes sets for a service of this name: ${links.sort().join(", ")} (set enableServiceLinks: false)`];
}

/** Kubernetes describes a service named millrace (or millrace-something) to every pod by variables like these. */
export function isServiceLink(name: string, value: string | undefined): boolean {
  if (/^MILLRACE_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true;
  if (/^MILLRACE_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  return /^MILLRACE_(\w+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value ?? "");
}

/** The name with the fewest letters to change. */
function findNearest(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  return ranked.reduce((best, next) => (next.distance < best.distance ? next : best)).candidate;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

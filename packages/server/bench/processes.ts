import { readdirSync, readFileSync } from "node:fs";

// Figures from /proc about the service and the processes that it has started. Linux only; elsewhere everything is 0.

/** pid -> parent, of all visible processes. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statFields(Number(name));
    if (fields) found.set(Number(name), Number(fields[1]));
  }
  return found;
}

/** Fields of /proc/<pid>/stat after the name, which may hold spaces: [state, parent, …]. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

export function descendants(root: number): number[] {
  const tree = [...parents()];
  const found: number[] = [];
  for (let level = [root]; level.length > 0; ) {
    level = tree.filter(([, parent]) => level.includes(parent)).map(([pid]) => pid);
    found.push(...level);
  }
  return found;
}

export interface CpuSeconds {
  service: number;
  /** The database and whatever else it has started. */
  others: number;
}

/** User and system time so far, of the service itself and of all its descendants, including those that have ended. */
export function cpuSeconds(root: number): CpuSeconds {
  const fields = statFields(root);
  const ticksPerSecond = 100;
  const ticks = (values: string[] | undefined, from: number, to: number) =>
    (values ?? []).slice(from, to).reduce((sum, value) => sum + Number(value), 0);
  const others = descendants(root).reduce((sum, pid) => sum + ticks(statFields(pid), 11, 15), ticks(fields, 13, 15));
  return { service: ticks(fields, 11, 13) / ticksPerSecond, others: others / ticksPerSecond };
}

export function residentMb(pid: number): number {
  return memoryMb(`/proc/${pid}/status`, "VmRSS");
}

/** Shared pages count proportionally (PSS); falls back to resident memory if that can't be read. */
export function proportionalMb(pid: number): number {
  return memoryMb(`/proc/${pid}/smaps_rollup`, "Pss") || residentMb(pid);
}

function memoryMb(file: string, name: string): number {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(file, "utf8"));
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

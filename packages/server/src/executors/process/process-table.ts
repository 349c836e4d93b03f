import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { readBeginning } from "../../base/file/read-lines.ts";

/** What /proc reports about one process. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  startTicks: number;
  residentBytes: number;
  /** All of its threads have ended: if only the first thread has ended, the process continues as long as another one runs. */
  isZombie: boolean;
  /** Stopped by a signal. */
  isHalted: boolean;
}

const pageBytes = 4096;
/** All requests within this time, in ms, share a table: fifty attempts that end at once must not read /proc fifty times. */
const sharedForMs = 25;
let shared: { at: number; table: Promise<ProcessEntry[]> } | undefined;

export function readProcessTable(): Promise<ProcessEntry[]> {
  const now = performance.now();
  if (shared === undefined || now - shared.at > sharedForMs) shared = { at: now, table: readFreshTable() };
  return shared.table;
}

export async function readFreshTable(): Promise<ProcessEntry[]> {
  return (await readEntries()).filter((entry) => entry !== undefined);
}

/** Undefined for a process that has ended since it was listed. */
async function readEntries(): Promise<(ProcessEntry | undefined)[]> {
  const names = await readdir("/proc").catch(() => []);
  return Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readEntry(Number(name))));
}

async function readEntry(pid: number): Promise<ProcessEntry | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  return text === undefined ? undefined : parseStat(pid, text);
}

/** @param text of /proc/PID/stat; the name in it may contain anything, brackets too */
export function parseStat(pid: number, text: string): ProcessEntry {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group, session] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
    residentBytes: Number(fields[21]) * pageBytes,
    isZombie: (state === "Z" || state === "X") && Number(fields[17]) <= 1,
    isHalted: state === "T" || state === "t",
  };
}

/** @returns when the process started, in clock ticks since the boot of the machine; 0 if there is none */
export async function readStartTicks(pid: number): Promise<number> {
  const entry = await readEntry(pid);
  return entry === undefined || entry.isZombie ? 0 : entry.startTicks;
}

/** @returns all living processes below `root`, ordered by generation, without `root` itself */
export function descendants(table: readonly ProcessEntry[], root: number): ProcessEntry[] {
  const children = groupByParent(table);
  const found: ProcessEntry[] = [];
  const pending = [root];
  for (let parent = pending.shift(); parent !== undefined; parent = pending.shift()) {
    for (const child of children.get(parent) ?? []) {
      found.push(child);
      pending.push(child.pid);
    }
  }
  return found.filter((entry) => !entry.isZombie);
}

/**
 * Living processes below `root`, by generation, with `root` as the first: a few short files instead of the table of all processes. One can
 * be missing while another one of its generation ends, so it is only for processes that are halted, or that are also counted elsewhere.
 * @returns undefined if this kernel does not list children
 */
export function listDescendants(root: number): number[][] | undefined {
  const generations: number[][] = [];
  try {
    for (let generation = [root]; generation.length > 0; generation = generation.flatMap(listChildren)) generations.push(generation);
  } catch {
    return undefined;
  }
  return generations;
}

function listChildren(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1"));
  return lists.flatMap((list) => list.split(" ").filter((word) => word !== "")).map(Number);
}

function groupByParent(table: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  return children;
}

/** Sends a signal; a process that is gone, or is not ours any more, is not an error. */
export function signalProcess(pid: number, signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Halts a process, so that it starts no further ones. @returns its living children */
export async function haltProcess(pid: number): Promise<number[]> {
  signalProcess(pid, "SIGSTOP");
  for (let round = 0; round < 50; round++) {
    const entry = await readEntry(pid);
    if (entry === undefined || entry.isHalted || entry.isZombie) break;
    await pause(1);
  }
  const table = await readFreshTable();
  return table.filter((entry) => entry.parent === pid && !entry.isZombie).map((entry) => entry.pid);
}

/**
 * Ends all processes that `find` returns, repeatedly until it returns none: one that forks faster than the list is read is found in a later
 * round.
 * @returns whether none is left
 */
export async function killUntilGone(find: () => Promise<number[]>, rounds = 100): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    const pids = await find();
    if (pids.length === 0) return true;
    for (const pid of pids) signalProcess(pid, "SIGKILL");
    await pause(Math.min(2 + round, 20));
  }
  return false;
}

/**
 * @returns processes that were started for this folder: their environment names it, and no process can change the environment of another
 * one. The program of a sandbox has no such environment, but names the folder in its arguments.
 */
export async function processesOfFolder(folder: string): Promise<number[]> {
  const mine: number[] = [];
  for (const { pid, isZombie } of await readFreshTable()) {
    if (!isZombie && pid !== process.pid && (await isOfFolder(pid, folder))) mine.push(pid);
  }
  return mine;
}

/** The maximum size with which a program can be started. A process can make the kernel show any part of its memory instead, of any size. */
const mostStartBytes = 2_097_152;

async function isOfFolder(pid: number, folder: string): Promise<boolean> {
  const read = (name: string): Promise<string> => readBeginning(`/proc/${pid}/${name}`, mostStartBytes).catch(() => "");
  if ((await read("environ")).includes(`=${folder}/`)) return true;
  const command = await read("cmdline");
  return /^(?:[^\0]*\/)?bwrap\0/.test(command) && command.includes(`\0${folder}/`);
}

export async function endProcessesOfFolder(folder: string): Promise<void> {
  await killUntilGone(() => processesOfFolder(folder));
}

/** @returns processes with that real user */
export async function processesOfUser(uid: number): Promise<number[]> {
  return (await surveyUser(uid)).pids;
}

/**
 * @returns processes with that real user; `isSure`: there were no others. If a process starts its successor and ends, it was listed, but
 * has ended when it is inspected; it can only be missing from the list if process numbers start again from the lowest.
 */
export async function surveyUser(uid: number): Promise<{ pids: number[]; isSure: boolean }> {
  const before = await lastNumber();
  const entries = await readEntries();
  const owners = await Promise.all(entries.map((entry) => entry && ownerOf(entry.pid)));
  const owned = entries.filter((entry, index) => entry !== undefined && owners[index] === uid);
  const pids = owned.flatMap((entry) => (entry && !entry.isZombie ? [entry.pid] : []));
  return { pids, isSure: !owners.includes(undefined) && pids.length === owned.length && (await lastNumber()) >= before };
}

/** The number of the process that was started last. */
async function lastNumber(): Promise<number> {
  const text = await readFile("/proc/loadavg", "latin1").catch(() => "");
  return Number(text.trim().split(" ").at(-1));
}

/** Read from the content of a file: the /proc folder of a process belongs to root if the process has disabled core dumps. */
async function ownerOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  return uid === undefined ? undefined : Number(uid);
}

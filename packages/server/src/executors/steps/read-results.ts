import { closeSync, constants, opendirSync, openSync } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { throwIfMachineFault } from "../../base/error/machine-fault.ts";
import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobReason } from "../../engine/executor.ts";
import { cleanJson } from "./clean-json.ts";

export interface ReadResults {
  results: { name: string; value: unknown }[];
  /** Makes the task fail although its steps succeeded. */
  problem?: { reason: JobReason; message: string };
}

/** Undeclared results are kept too, up to this number. */
const maxUndeclared = 100;
/** A folder with more entries is not read to its end: declared results are looked up by name, the others are left out. */
const maxListed = 10_000;
/** The limit of all results together is this many times that of one. */
const maxBatch = 16;
const maxDepth = 64;

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The prefix for names in the open folder; on systems other than Linux (development machines) it is the path. */
function baseOf(fd: number, folder: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${fd}` : folder;
}

/**
 * Reads the result files of an attempt. The steps created them, so nothing about them is trusted: links are not followed, only regular
 * files are read, and no more of them than the limit.
 *
 * @param folder the result folder, on this machine
 * @param owner the required owner of the files, if the steps ran as another user than the service
 */
export async function readResults(job: Job, folder: string, owner: number | undefined, masker: Masker): Promise<ReadResults> {
  if (isEmpty(folder)) return { results: [] };
  const handle = await open(folder, asFolder).catch(ignoreUnlessMachine);
  if (!handle) return { results: [] };
  try {
    const base = baseOf(handle.fd, folder);
    const found = [...job.results.map(resultFile), ...(await listNames(base))];
    return await collectResults(job, found, masker, (name, limitBytes) => readBounded(`${base}/${name}`, limitBytes, owner));
  } finally {
    await handle.close();
  }
}

/** Reads one file of the same folder, with the same precautions. */
export async function readResultFile(folder: string, name: string, limitBytes: number, owner: number | undefined): Promise<ReadFile> {
  const handle = await open(folder, asFolder).catch(ignoreUnlessMachine);
  try {
    return handle && (await readBounded(`${baseOf(handle.fd, folder)}/${name}`, limitBytes, owner));
  } finally {
    await handle?.close();
  }
}

/** If a result takes the value of a step's result, this is the file of that one. */
export function resultFile({ name, file = name }: Job["results"][number]): string {
  return file;
}

/**
 * Turns the files of an attempt into results: those that count, in order, up to the limits, with their types.
 * @param found names of the existing files
 * @param read undefined: it is not a readable file
 */
export async function collectResults(
  job: Pick<Job, "results" | "limits">,
  found: readonly string[],
  masker: Masker,
  read: (name: string, limitBytes: number) => ReadFile | Promise<ReadFile>,
): Promise<ReadResults> {
  const outcome: ReadResults = { results: [] };
  const declared = new Map(job.results.map((result) => [result.name, result]));
  const { resultBytes } = job.limits;
  let leftBytes = maxBatch * resultBytes;
  const nameOf = resultNamer(declared, masker);
  for (const wanted of wantedNames(found, declared)) {
    const result = declared.get(wanted);
    const bytes = await read(result ? resultFile(result) : wanted, Math.min(resultBytes, leftBytes));
    if (bytes === undefined) continue;
    const name = nameOf(wanted);
    if (bytes === "too large") {
      const limit =
        leftBytes >= resultBytes ? `${resultBytes} bytes` : `what is left of the ${maxBatch * resultBytes} bytes of all results`;
      outcome.problem ??= { reason: "ResultTooLarge", message: `result "${name}" has more than ${limit}` };
      continue;
    }
    leftBytes -= bytes.length;
    const { value, problem } = await parseResult(name, result?.type ?? "string", toSafeText(bytes), masker);
    outcome.results.push({ name, value });
    if (problem !== undefined) outcome.problem ??= { reason: "InvalidTask", message: problem };
  }
  return outcome;
}

/** The step chooses the names of undeclared files, so they are masked like values; each name stays unique. */
function resultNamer(declared: ReadonlyMap<string, unknown>, masker: Masker): (file: string) => string {
  const taken = new Set<string>(declared.keys());
  return (file) => {
    if (declared.has(file)) return file;
    const masked = masker.maskText(file);
    let name = masked;
    for (let count = 2; taken.has(name); count++) name = `${masked}-${count}`;
    taken.add(name);
    return name;
  };
}

export type ReadFile = Buffer | "too large" | undefined;

/** Names in a folder; none if there are too many, because which ones come first is random. */
async function listNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: 256 })) {
      if (names.length >= maxListed) return [];
      names.push(name);
    }
  } catch (error) {
    // What could be listed counts.
    throwIfMachineFault(error);
  }
  return names;
}

/** Most attempts leave none, and one synchronous look is cheaper than three trips to the thread pool. Links are not followed. */
function isEmpty(folder: string): boolean {
  try {
    const fd = openSync(folder, asFolder);
    try {
      return isEmptyFolder(baseOf(fd, folder));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throwIfMachineFault(error);
    return true;
  }
}

function isEmptyFolder(base: string): boolean {
  const entries = opendirSync(base, { bufferSize: 1 });
  try {
    return entries.readSync() === null;
  } finally {
    entries.closeSync();
  }
}

/** What a step has done to the folder is not an error; but a result that this machine can't read now is not missing. */
function ignoreUnlessMachine(error: unknown): undefined {
  throwIfMachineFault(error);
}

/** Declared ones first, in their order; then those of the others whose name is valid for a result. */
function wantedNames(found: readonly string[], declared: ReadonlyMap<string, Job["results"][number]>): string[] {
  const names = new Set(found);
  const others = [...names]
    .filter((name) => !declared.has(name) && /^[A-Za-z0-9_][\w.-]{0,199}$/.test(name))
    .sort()
    .slice(0, maxUndeclared);
  const there = [...declared.values()].filter((result) => names.has(resultFile(result)));
  return [...there.map(({ name }) => name), ...others];
}

async function readBounded(path: string, limitBytes: number, owner: number | undefined): Promise<ReadFile> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ignoreUnlessMachine);
  if (!file) return undefined;
  try {
    const { size, uid, isFile } = await describe(file);
    if (!isFile || (owner !== undefined && uid !== owner)) return undefined;
    if (size > limitBytes) return "too large";
    return await readUpTo(file, size);
  } catch (error) {
    return ignoreUnlessMachine(error);
  } finally {
    await file.close();
  }
}

async function describe(file: FileHandle): Promise<{ size: number; uid: number; isFile: boolean }> {
  const found = await file.stat();
  return { size: found.size, uid: found.uid, isFile: found.isFile() };
}

async function readUpTo(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** The database can't store NUL; invalid UTF-8 becomes U+FFFD. */
export function toSafeText(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\ufffd");
}

async function parseResult(name: string, type: string, text: string, masker: Masker): Promise<{ value: unknown; problem?: string }> {
  if (type !== "array" && type !== "object") return { value: masker.maskText(text) };
  const parsed = parseJson(text);
  if (!parsed || !isOfType(parsed.value, type))
    return { value: masker.maskText(text), problem: `result "${name}" is declared as ${type}, but its file contains no JSON ${type}` };
  const found = await cleanJson(parsed.value, masker, maxDepth);
  return found ?? { value: null, problem: `result "${name}" is nested deeper than ${maxDepth} levels` };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isOfType(value: unknown, type: "array" | "object"): boolean {
  return type === "array" ? Array.isArray(value) : value !== null && typeof value === "object" && !Array.isArray(value);
}

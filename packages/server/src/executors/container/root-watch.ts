import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { defaultScratchBytes, LimitWatch } from "../folders/limit-watch.ts";
import { measureUnlinked } from "../folders/open-files.ts";
import { fileLimit, tooLarge, tooMany } from "../folders/overflow.ts";
import { causeOfBreach } from "../machine/judge-fault.ts";
import { findContainerProcesses } from "./container-processes.ts";
import type { EngineClient } from "./engine/engine-client.ts";
import { EngineAway } from "./engine/engine-error.ts";
import type { Stage } from "./stage.ts";
import type { StepContainer } from "./step-container.ts";

const waitMs = 200;
/** The engine counts all files of the container for each response. */
const pauseMs = 2_000;
/** How long an engine may fail to give a size. */
const longestBlindMs = 10_000;

/**
 * Watches what a step or a sidecar writes to the root of its image, if it may: that is on the disk of the engine, which most engines can't
 * limit. It is measured like the folders of an attempt if this service can read it. Otherwise the engine is asked for its size and for the
 * list of its files: that misses deleted files that are still open, and fails if a path is too long for the engine.
 *
 * @param label for messages
 * @returns a function that ends the watching
 */
export function watchRoot(stage: Stage, container: StepContainer, label = "its writable layer"): () => void {
  const stopped = new AbortController();
  void watch({ ...stage, container, label }, stopped.signal).catch((error: Error) => {
    // Fail closed: what can't be measured is not limited.
    if (!stopped.signal.aborted) breach(stage, `${label} can't be measured: ${error.message}`, error);
  });
  return () => stopped.abort();
}

type Watched = Stage & { container: StepContainer; label: string };

/** All layers that can be written at the same time share the limit of one, as with memory: a task with sidecars gets no more disk space. */
function layerLimit({ runtime, job }: Pick<Stage, "runtime" | "job">): number {
  const isWritable = ({ hasWritableRoot = false }: { hasWritableRoot?: boolean }): boolean => hasWritableRoot;
  const atOnce = (job.sidecars ?? []).filter(isWritable).length + (job.steps.some(isWritable) ? 1 : 0);
  return Math.floor((runtime.settings.scratchBytes ?? defaultScratchBytes) / Math.max(1, atOnce));
}

async function watch(stage: Watched, signal: AbortSignal): Promise<void> {
  const root = await findRoot(stage, signal);
  const layer = root.layer !== undefined && (await isReadable(root.layer)) ? root.layer : undefined;
  if (signal.aborted) return;
  if (layer === undefined) return askEngine(stage, root, signal);
  const { runtime, container, label, halt } = stage;
  const limitBytes = layerLimit(stage);
  const known = { bytes: 0, files: 0, isComplete: true, isCut: false };
  const folder = { label, path: layer, limitBytes, known, isTemporary: true, fileDevice: root.device };
  const limits = new LimitWatch({ folders: [folder], findProcesses: findContainerProcesses(runtime.watch, () => [container]) });
  signal.addEventListener("abort", () => limits.stop(), { once: true });
  await limits.measure();
  if (!signal.aborted) limits.start((breach, error) => halt(causeOfBreach(runtime.machine, breach, error), runtime.settings.graceMs));
}

interface Root {
  id: string;
  /** Folder on the engine's machine with what the step has written. */
  layer: string | undefined;
  /** The file system as its processes see it; undefined if it can't be seen from here. */
  device: number | undefined;
}

/** Waits until the container runs. */
async function findRoot({ runtime, container }: Watched, signal: AbortSignal): Promise<Root> {
  for (;;) {
    const { id } = container;
    const found = id === undefined ? undefined : await runtime.watch.engine?.client.root(id).catch(() => undefined);
    if (id !== undefined && found !== undefined && found.pid > 0)
      return {
        id,
        layer: found.layer,
        device: await stat(`/proc/${found.pid}/root`).then(
          ({ dev }) => dev,
          () => undefined,
        ),
      };
    await pause(waitMs, undefined, { signal });
  }
}

async function isReadable(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** What can't be counted any more counts as too much. */
async function askEngine(stage: Watched, { id, device }: Root, signal: AbortSignal): Promise<void> {
  const { runtime, container, label } = stage;
  const limitBytes = layerLimit(stage);
  const mostFiles = fileLimit(limitBytes);
  const findProcesses = findContainerProcesses(runtime.watch, () => [container]);
  const unlinked = async (): Promise<number> =>
    device === undefined ? 0 : (await measureUnlinked({ pids: await findProcesses(), devices: new Set([device]) })).bytes;
  for (let seenAt = performance.now(); ; ) {
    await pause(pauseMs, undefined, { signal });
    const size = await measureByEngine(runtime.watch.engine?.client, id, mostFiles);
    const bytes = typeof size === "object" ? size.bytes + (await unlinked()) : 0;
    if (signal.aborted) return;
    if (bytes > limitBytes) return breach(stage, tooLarge({ label, limitBytes }, bytes, {}));
    if (typeof size === "object" && size.files > mostFiles) return breach(stage, tooMany(label, mostFiles));
    if (size !== undefined) seenAt = performance.now();
    else if (performance.now() - seenAt > longestBlindMs)
      return breach(stage, `${label} can't be measured: the container engine gives no size`);
  }
}

/** @returns undefined if the engine could not count */
async function measureByEngine(
  client: EngineClient | undefined,
  id: string,
  mostFiles: number,
): Promise<{ bytes: number; files: number } | "away" | undefined> {
  if (client === undefined) return undefined;
  try {
    const bytes = await client.rootBytes(id);
    return bytes === undefined ? undefined : { bytes, files: await countEntries(await client.changes(id), mostFiles) };
  } catch (error) {
    return error instanceof EngineAway ? "away" : undefined;
  }
}

/**
 * Counts the entries of a list of changes, whose length a step decides; not beyond `most`. Each entry has this member once: quotes in a
 * path are escaped.
 */
export async function countEntries(list: Readable, most: number): Promise<number> {
  const member = '"Kind":';
  let count = 0;
  let tail = "";
  for await (const chunk of list) {
    const text = tail + (chunk as Buffer).toString("latin1");
    count += text.split(member).length - 1;
    // Leaving the loop closes the engine's response.
    if (count > most) break;
    tail = text.slice(1 - member.length);
  }
  return count;
}

function breach({ runtime, halt }: Stage, message: string, error?: unknown): void {
  halt(causeOfBreach(runtime.machine, { reason: "WorkspaceFull", message }, error), runtime.settings.graceMs);
}

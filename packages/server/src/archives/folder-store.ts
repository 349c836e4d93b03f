import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { LostArchive } from "../engine/workspace-store.ts";
import type { ObjectPart, ObjectStore } from "./archive-store.ts";

/** Objects in a folder that all machines mount (NFS, CIFS, CephFS). Steps cannot see it. */
export class FolderStore implements ObjectStore {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.name = `the folder ${folder}`;
  }

  async put(key: string, content: Readable, signal?: AbortSignal): Promise<void> {
    const path = join(this.#folder, key);
    const draft = `${path}.${randomUUID()}`;
    try {
      // Flushed before it gets its name.
      const file = (await create(draft)).createWriteStream({ flush: true });
      await pipeline(content, file, { signal });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  }

  async get(key: string, signal?: AbortSignal, part?: ObjectPart): Promise<Readable> {
    const path = join(this.#folder, key);
    const range = part && { start: part.offset, end: part.offset + part.bytes - 1 };
    const stream = createReadStream(path, { ...(signal && { signal }), ...range });
    await new Promise<void>((resolve, reject) => {
      stream.once("open", () => resolve());
      stream.once("error", (error: NodeJS.ErrnoException) =>
        reject(error.code === "ENOENT" ? new LostArchive(`${path} does not exist`) : error),
      );
    });
    return stream;
  }

  async remove(key: string): Promise<void> {
    const path = join(this.#folder, key);
    await rm(path, { force: true });
    await removeDrafts(path);
    for (let folder = dirname(path); folder.length > this.#folder.length; folder = dirname(folder)) {
      const isEmpty = await rmdir(folder).then(
        () => true,
        () => false,
      );
      if (!isEmpty) return;
    }
  }

  async *list(prefix: string): AsyncIterable<string> {
    yield* this.#listBelow(prefix.replace(/\/$/, ""));
  }

  async *#listBelow(folder: string): AsyncIterable<string> {
    let entries: Awaited<ReturnType<typeof opendir>>;
    try {
      entries = await opendir(join(this.#folder, folder), { bufferSize: 256 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    for await (const entry of entries) {
      const key = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#listBelow(key);
      else yield key;
    }
  }
}

/**
 * A partial file that has not grown for so long belongs to no process any more. Far less than the time after which unused objects are
 * removed.
 */
const draftMs = 3_600_000;

/** A process that was killed while storing the object has left a partial file, which no key names. */
async function removeDrafts(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(start) && isUuid(one.slice(start.length)))) {
    const draft = join(dirname(path), name);
    const found = await stat(draft).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > draftMs) await rm(draft, { force: true });
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Another process may remove the folder while it is empty. */
async function create(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      return await open(path, "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 5) throw error;
    }
  }
}

import { createHash, type Hash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { type ArchiveLimits, LostArchive, type SavedArchive, type WorkspaceStore } from "../engine/workspace-store.ts";
import { fingerprintTree, packTree } from "./pack-tree.ts";
import { unpackTree } from "./unpack-tree.ts";

/** Stores workspaces as compressed tar archives. The task waits for the compression, so it is fast rather than good. */
export class ArchiveStore implements WorkspaceStore {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  get name(): string {
    return this.#objects.name;
  }

  async fingerprint(folder: string, limits: ArchiveLimits): Promise<string | undefined> {
    return fingerprintTree(folder, limits).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
  }

  async save(folder: string, key: string, limits: ArchiveLimits, signal?: AbortSignal): Promise<SavedArchive> {
    const tree = packTree(folder, limits);
    const meter = new Meter();
    const packing = pipeline(tree.content, createGzip({ level: constants.Z_BEST_SPEED }), meter, { signal });
    const storing = this.#objects.put(key, meter, signal);
    storing.catch((error: Error) => meter.destroy(error));
    await bothOver(packing, storing);
    return { ...meter.result(), leftOut: tree.leftOut() };
  }

  async restore(folder: string, key: string, sha256: string, signal?: AbortSignal): Promise<void> {
    const content = await this.#objects.get(key, signal);
    const meter = new Meter();
    const gunzip = createGunzip();
    const reading = pipeline(content, meter, gunzip, { signal });
    reading.catch((error: Error) => gunzip.destroy(error));
    try {
      await unpackTree(gunzip, folder);
      await reading;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code.startsWith("Z_") || /^(Unexpected end of data|Invalid (tar )?header)/.test((error as Error).message))
        throw unlike(this.name, key);
      throw error;
    }
    if (meter.result().sha256 !== sha256) throw unlike(this.name, key);
  }

  remove(key: string): Promise<void> {
    return this.#objects.remove(key);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#objects.list(prefix);
  }
}

/** Waits for both, and throws the first error: if one fails, it ends the other. */
async function bothOver(...works: Promise<void>[]): Promise<void> {
  const faults: unknown[] = [];
  await Promise.all(works.map((work) => work.catch((error) => void faults.push(error))));
  if (faults.length > 0) throw faults[0];
}

function unlike(store: string, key: string): LostArchive {
  return new LostArchive(`the content of ${key} in ${store} differs from what was stored`);
}

/** Passes everything on, and computes its digest and size. */
class Meter extends Transform {
  readonly #hash: Hash = createHash("sha256");
  #bytes = 0;

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: (error: Error | null, piece: Buffer) => void): void {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    done(null, piece);
  }

  /** Call once, at the end. */
  result(): { sha256: string; bytes: number } {
    return { sha256: this.#hash.digest("hex"), bytes: this.#bytes };
  }
}

/** Of at least one byte. */
export interface ObjectPart {
  offset: number;
  bytes: number;
}

/** Stores streams of bytes by key. An object is stored completely or not at all, and never changes. */
export interface ObjectStore {
  /** For messages; contains no credentials. */
  readonly name: string;
  put(key: string, content: Readable, signal?: AbortSignal): Promise<void>;
  /** @throws LostArchive */
  get(key: string, signal?: AbortSignal, part?: ObjectPart): Promise<Readable>;
  /** Does nothing if there is no such key. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** @param prefix empty, or ends with `/` */
  list(prefix: string): AsyncIterable<string>;
}

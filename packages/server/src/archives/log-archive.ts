import { addAbortSignal, Readable } from "node:stream";
import type { WorkspaceStoreAddress } from "../config/parse-value.ts";
import type { ObjectStore } from "./archive-store.ts";
import { openObjects } from "./open-workspace-store.ts";

/** Stores logs in a folder or a bucket (the interface is domain/log/log-store.ts). Does not connect yet. */
export async function openLogArchive(address: WorkspaceStoreAddress): Promise<LogArchive> {
  return new LogArchive(await openObjects(address));
}

class LogArchive {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  get name(): string {
    return this.#objects.name;
  }

  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    return this.#objects.put(key, Readable.from(content, { objectMode: false }), signal);
  }

  async get(key: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return endedBy(signal, await this.#objects.get(key, signal));
  }

  async getPart(key: string, offset: number, bytes: number, signal?: AbortSignal): Promise<Uint8Array> {
    return readAtMost(bytes, endedBy(signal, await this.#objects.get(key, signal, { offset, bytes })));
  }

  remove(key: string, signal?: AbortSignal): Promise<void> {
    return this.#objects.remove(key, signal);
  }
}

/** A store without support for ranges returns the whole object, which may have gigabytes. */
async function readAtMost(bytes: number, content: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > bytes) throw new Error(`more than the ${bytes} bytes that were asked for came`);
  }
  return Buffer.concat(pieces);
}

/** Also if the store stops in the middle of an object. */
function endedBy(signal: AbortSignal | undefined, content: Readable): Readable {
  return signal === undefined ? content : addAbortSignal(signal, content);
}

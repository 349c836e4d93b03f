import type { Readable } from "node:stream";

/** Stores streams of bytes by key. An object is stored completely or not at all, and never changes. */
export interface ObjectStore {
  /** For messages; contains no credentials. */
  readonly name: string;
  put(key: string, content: Readable, signal?: AbortSignal): Promise<void>;
  /** @throws LostArchive */
  get(key: string, signal?: AbortSignal): Promise<Readable>;
  /** Does nothing if there is no such key. */
  remove(key: string): Promise<void>;
  /** @param prefix empty, or ends with `/` */
  list(prefix: string): AsyncIterable<string>;
}

/**
 * Stores logs that are no longer in the database, one object for each attempt. A key is a path of ids; what is stored under a key never
 * changes.
 */
export interface LogStore {
  /** For messages; contains no credentials. */
  readonly name: string;
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** A part of it; fewer bytes at its end. */
  getPart(key: string, offset: number, bytes: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Does nothing if there is no such key. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
}

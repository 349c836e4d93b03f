/** Stores logs that are no longer in the database, one object per attempt. A key is a path of ids; an object is never changed. */
export interface LogStore {
  /** For messages; contains no credentials. */
  readonly name: string;
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** A range of it; fewer bytes at its end. */
  getPart(key: string, offset: number, bytes: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Does nothing if the key doesn't exist. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
}

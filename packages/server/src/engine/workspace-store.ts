/**
 * Stores archives of workspaces outside of the machines that use them, so that a run can continue if its machine is lost. A key is a path
 * of ids separated by `/`; an object is never changed.
 */
export interface WorkspaceStore {
  /** For messages; contains no credentials. */
  readonly name: string;
  /** Changes with every change in the folder, and is valid on this machine only. Undefined: the folder does not exist. */
  fingerprint(folder: string, limits: ArchiveLimits): Promise<string | undefined>;
  /** Stores all of it or nothing. @throws NotArchivable */
  save(folder: string, key: string, limits: ArchiveLimits, signal?: AbortSignal): Promise<SavedArchive>;
  /**
   * @param folder must not exist; after an error it may be there in part
   * @throws LostArchive
   */
  restore(folder: string, key: string, sha256: string, signal?: AbortSignal): Promise<void>;
  /** Does nothing if there is no such key. */
  remove(key: string): Promise<void>;
  /** @param prefix empty, or ids each followed by `/` */
  list(prefix: string): AsyncIterable<string>;
}

/** Largest folder that can be archived. */
export interface ArchiveLimits {
  /** Total length of all files, including holes. */
  bytes: number;
  files: number;
}

export interface SavedArchive {
  /** Hexadecimal digest of the stored object. */
  sha256: string;
  bytes: number;
  /** Number of sockets, pipes and devices, which cannot be archived. */
  leftOut: number;
}

/** The folder cannot be archived; the message says why. */
export class NotArchivable extends Error {}

/** The archive is missing or damaged; the message says which. */
export class LostArchive extends Error {}

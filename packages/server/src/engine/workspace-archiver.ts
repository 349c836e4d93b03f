import { randomUUID } from "node:crypto";
import { access, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { machineFaultOf } from "../base/error/machine-fault.ts";
import { makeParentFolders } from "../base/file/parent-folders.ts";
import { removeTree } from "../base/file/remove-tree.ts";
import type { Log } from "../base/process/log.ts";
import { workspaceBytes } from "../core/team/quota.ts";
import type { Database } from "../store/database/database.ts";
import { isPoolClosed } from "../store/database/database-error.ts";
import { transaction } from "../store/database/transaction.ts";
import {
  listWorkspaceStates,
  lockUnrestored,
  markMissing,
  markRestored,
  readMoment,
  recordArchive,
  takeStored,
  type UnarchivedWorkspace,
  type WorkspaceArchive,
  type WorkspaceState,
} from "../store/worker/workspace-archives.ts";
import type { Job, JobWorkspace } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";
import { RepeatedSaves } from "./repeated-saves.ts";
import { type ArchiveLimits, LostArchive, NotArchivable, type SavedArchive, type WorkspaceStore } from "./workspace-store.ts";

/**
 * Archives the workspaces of this machine in the store, and restores them from there.
 *
 * After an attempt, before its end is reported, the folder is saved under a new key and the key is recorded (`recordArchive`). So
 * either the store has the changes of every finished task, or the database says that it does not, and the run can continue only in
 * this folder. Changes of an attempt that was lost may be in the archive or not, just as they may be in a folder.
 *
 * Before an attempt, a workspace that moved here from another machine (`is_restored` is false) is restored: the folder is created
 * beside the old one and replaces it in the transaction that records this, so two processes that share the folder never replace
 * each other's.
 */
export interface WorkspaceArchiverParts {
  sql: Database;
  store: WorkspaceStore;
  /** Folder of the workspaces on this machine, and its id. */
  workspacesDir: string;
  place: string;
  log: Log;
  /** What the restoring of one workspace may take; half an hour by default. */
  restoreMs?: number | undefined;
}

/** The state of a job's workspaces after they were restored. */
export interface Restored {
  /** Why one of them cannot be restored, as a sentence. */
  lost?: string;
  /** A folder was replaced: processes that an earlier attempt left running use the old one. */
  isReplaced: boolean;
}

type Owner = Pick<JobWorkspace, "ownerId" | "scope" | "name" | "source" | "sizeLimitBytes"> & { teamId: string };

/** The limit of a workspace counts disk blocks, an archive counts holes as well. */
const lengthFactor = 4;
const maxFiles = 2_000_000;
/** Of a workspace whose last run does not say its size. */
const unknownBytes = 2 ** 30;
/** For one save, or one restoring. */
const archiveMs = 30 * 60_000;
/** Pauses between attempts. A failed save is repeated in the background (`saveMissing`), so that a task hardly waits for it. */
const pausesMs = { save: [1_000], restore: [1_000, 4_000, 15_000] };
const databaseMs = 15 * 60_000;
/** Folder for what is being restored. Names of teams' folders are ids, so this is none of them. */
const restoringName = ".restoring";

export class WorkspaceArchiver {
  readonly #parts: WorkspaceArchiverParts;
  /** Saves and restores of the same workspace run one after the other. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #repeats: RepeatedSaves;

  constructor(parts: WorkspaceArchiverParts) {
    this.#parts = parts;
    this.#repeats = new RepeatedSaves(parts, (found) => this.#saveMissing(found));
  }

  /** Removes what an earlier process left unfinished. */
  async open(): Promise<void> {
    const folder = join(this.#parts.workspacesDir, restoringName);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) await removeTree(join(folder, name)).catch(() => {});
  }

  /**
   * Restores the workspaces of a job where necessary.
   * @throws faults of the machine, such as a full disk
   */
  async restore(job: Pick<Job, "teamId" | "workspaces">): Promise<Restored> {
    const { sql, place } = this.#parts;
    const owners = ownersOf(job);
    const ids = owners.map(({ ownerId }) => ownerId);
    if (ids.length > 0) await takeStored(sql, job.teamId, ids, place);
    let isReplaced = false;
    for (const owner of owners) {
      const restored = await this.#inQueue(owner, () => this.#restoreOne(owner));
      if (restored.lost !== undefined) return restored;
      isReplaced ||= restored.isReplaced;
    }
    return { isReplaced };
  }

  /**
   * Saves the workspaces that a job could write to.
   * @returns warnings for the log of the task
   * @throws if the database does not answer for long
   */
  async save(job: Pick<Job, "teamId" | "workspaces">): Promise<string[]> {
    const writable = job.workspaces.filter(({ readOnly }) => !readOnly);
    const owners = ownersOf({ ...job, workspaces: writable });
    const warnings = await Promise.all(owners.map((owner) => this.#inQueue(owner, () => this.#saveOne(owner))));
    return warnings.filter((warning) => warning !== undefined);
  }

  /** Repeats saves that have failed. */
  saveMissing(): Promise<void> {
    return this.#repeats.round();
  }

  async #saveMissing({ teamId, ownerId, scope, size }: UnarchivedWorkspace): Promise<void> {
    const source = workspaceFolder(this.#parts.workspacesDir, teamId, scope, ownerId);
    const owner = { teamId, ownerId, scope, source, name: scope, sizeLimitBytes: workspaceBytes(size) ?? unknownBytes };
    await this.#inQueue(owner, () => this.#saveOne(owner));
  }

  async #restoreOne(owner: Owner): Promise<Restored> {
    const { sql, place } = this.#parts;
    const state = await this.#stateOf(owner);
    if (state === undefined || state.state === "local") return { isReplaced: false };
    if (state.isRestored) {
      const isComplete = state.state !== "stored" || (await exists(owner.source));
      if (isComplete || !(await markMissing(sql, owner))) return { isReplaced: false };
    }
    const { archive } = state;
    if (archive === undefined) return this.#replace(owner, undefined);
    if (archive.place === place && (await this.#fingerprint(owner)) === archive.fingerprint) {
      await markRestored(sql, owner);
      return { isReplaced: false };
    }
    const restored = await this.#newFolder();
    try {
      await this.#unpack(owner, restored, archive);
    } catch (error) {
      await removeTree(restored).catch(() => {});
      if (machineFaultOf(error)) throw error;
      const what = error instanceof LostArchive ? "is lost" : `cannot be restored from ${this.#parts.store.name}`;
      return { lost: `Workspace "${owner.name}" ${what}: ${(error as Error).message}`, isReplaced: false };
    }
    return this.#replace(owner, restored);
  }

  /** @param restored the new folder; undefined: the workspace starts empty */
  async #replace(owner: Owner, restored: string | undefined): Promise<Restored> {
    const former = await this.#newFolder();
    let isReplaced = false;
    await transaction(
      this.#parts.sql,
      async (tx) => {
        isReplaced = await lockUnrestored(tx, owner, this.#parts.place);
        if (!isReplaced) return;
        await rename(owner.source, former).catch(ignoreMissing);
        if (restored !== undefined) {
          await makeParentFolders(dirname(owner.source));
          await rename(restored, owner.source);
        }
        await markRestored(tx, owner);
      },
      { access: "write" },
    );
    for (const rest of [former, restored]) if (rest !== undefined) await removeTree(rest).catch(() => {});
    return { isReplaced };
  }

  async #unpack(owner: Owner, folder: string, { key, sha256 }: WorkspaceArchive): Promise<void> {
    // A store that does not respond would block the slot of the task, and the queue of the workspace, forever.
    const tooLong = AbortSignal.timeout(this.#parts.restoreMs ?? archiveMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#parts.store.restore(folder, key, sha256, tooLong);
      } catch (error) {
        const pauseMs = pausesMs.restore[attempt];
        if (error instanceof LostArchive || machineFaultOf(error) || pauseMs === undefined || tooLong.aborted) throw error;
        this.#parts.log.warn({ err: error, teamId: owner.teamId, key }, "a workspace could not be restored; retrying");
        await removeTree(folder);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  async #saveOne(owner: Owner): Promise<string | undefined> {
    const { sql, place, store, log } = this.#parts;
    const { teamId, ownerId, scope } = owner;
    const from = await this.#untilAnswered(() => readMoment(sql));
    const key = `${teamId}/${scope}/${ownerId}/${randomUUID()}.tar.gz`;
    let saved: { fingerprint: string; archive: SavedArchive };
    try {
      const fingerprint = await this.#fingerprint(owner);
      if (fingerprint === undefined) return undefined;
      const state = await this.#untilAnswered(() => this.#stateOf(owner));
      if (state?.state === "stored" && state.archive?.place === place && state.archive.fingerprint === fingerprint) return undefined;
      saved = { fingerprint, archive: await this.#pack(owner, key) };
    } catch (error) {
      log.warn({ err: error, teamId, ownerId }, "a workspace could not be saved in the store");
      // Before the end of the attempt is reported: from then on an older archive must not be restored.
      await this.#untilAnswered(() => recordArchive(sql, owner, place, from, undefined));
      if (error instanceof NotArchivable) this.#repeats.postpone(ownerId);
      const why = error instanceof NotArchivable ? error.message : "see the log of the service";
      return `Workspace "${owner.name}" could not be saved in ${store.name}: ${why}. Until it is saved, the run can continue only on this machine`;
    }
    this.#repeats.forget(ownerId);
    const { fingerprint, archive } = saved;
    const { sha256, bytes, leftOut } = archive;
    const record = { key, sha256, bytes, place, fingerprint };
    const { isRecorded, formerKey } = await this.#untilAnswered(() => recordArchive(sql, owner, place, from, record));
    const unused = isRecorded ? formerKey : key;
    if (unused !== undefined) await this.#remove(unused);
    return leftOut === 0 ? undefined : `Workspace "${owner.name}" was saved without ${leftOut} sockets, pipes or devices`;
  }

  async #pack(owner: Owner, key: string): Promise<SavedArchive> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#parts.store.save(owner.source, key, limitsOf(owner), AbortSignal.timeout(archiveMs));
      } catch (error) {
        const pauseMs = pausesMs.save[attempt];
        if (error instanceof NotArchivable || pauseMs === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** What stays is removed with the run. */
  async #remove(key: string): Promise<void> {
    const why = "an outdated archive could not be removed from the store";
    await this.#parts.store.remove(key).catch((error: Error) => this.#parts.log.warn({ err: error, key }, why));
  }

  /** Waits for an unreachable database, as the report of the end does. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (const started = performance.now(); ; ) {
      try {
        return await ask();
      } catch (error) {
        // The pool was closed: the process is ending.
        if (isPoolClosed(error) || performance.now() - started > databaseMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  #fingerprint(owner: Owner): Promise<string | undefined> {
    return this.#parts.store.fingerprint(owner.source, limitsOf(owner));
  }

  async #stateOf({ teamId, ownerId }: Owner): Promise<WorkspaceState | undefined> {
    const [state] = await listWorkspaceStates(this.#parts.sql, teamId, [ownerId]);
    return state;
  }

  /** The path of a new folder, on the disk of the workspaces. */
  async #newFolder(): Promise<string> {
    const folder = join(this.#parts.workspacesDir, restoringName);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, randomUUID());
  }

  #inQueue<T>({ ownerId }: Owner, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(ownerId) ?? Promise.resolve();
    const now = before.then(work, work);
    this.#queues.set(ownerId, now);
    const clear = () => void (this.#queues.get(ownerId) === now && this.#queues.delete(ownerId));
    return now.finally(clear);
  }
}

function ownersOf({ teamId, workspaces }: Pick<Job, "teamId" | "workspaces">): Owner[] {
  return [...new Map(workspaces.map((workspace) => [workspace.ownerId, { ...workspace, teamId }])).values()];
}

function limitsOf({ sizeLimitBytes }: Owner): ArchiveLimits {
  return { bytes: sizeLimitBytes * lengthFactor, files: maxFiles };
}

function exists(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

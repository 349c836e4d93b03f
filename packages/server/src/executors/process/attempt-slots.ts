import { lstatSync } from "node:fs";
import { removeTree } from "../../base/file/remove-tree.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, attemptFolderName, clearFixed, createAttempt, makeWritable, userFolders } from "../folders/attempt-folder.ts";
import type { Identity, IdentityPool } from "../folders/identity.ts";
import type { AttemptUser, Level } from "./isolation/level.ts";

export interface SlotSettings {
  parent: string;
  identities: IdentityPool | undefined;
  /** The program that starts steps; undefined if there is none. */
  launcher?: Buffer | undefined;
  /** How steps are isolated. Folders are reused only where nothing of one step reaches another. */
  level: Pick<Level, "hasOwnFiles" | "hasOwnNetwork" | "filtersCalls">;
  /** Cleans up outside of the folder, once no attempt of the same user runs. */
  cleanUp?: Level["cleanUp"];
  onProblem(error: unknown): void;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

/** The kernel's file clock may stand still for 10 ms: a change to a folder younger than this might not show. */
const agedAfterMs = 20;
const maxFree = 32;
/** If more cleaning is in progress, the next attempts wait. */
const maxCleaning = 64;

interface Slot {
  attempt: Attempt;
  /** Inode, time of change and mode of each folder that steps may write to. */
  marks: Map<string, string>;
  agedAt: number;
}

interface Running {
  name: string;
  /** Undefined: its folder is not reused. */
  slot: Slot | undefined;
}

/** Shared by the whole process: the levels that are tested at the start share a folder. */
let slotCount = 0;

function nextSlotName(): string {
  return `slot-${slotCount++}`;
}

/**
 * The folders of attempts. Creating and removing nine folders can take a disk longer than the step takes. So where every attempt sees the
 * same paths (levels with their own file system), a folder is reused, together with the user id that owns it.
 *
 * That is safe because nothing can be hidden in it: if the inode and the time of change of a folder are the same as when it was created, it
 * contained no file and had no other mode or access list in between, and the time of change can't be set. Any other folder is created
 * again, in the background.
 */
export class AttemptSlots {
  readonly #settings: SlotSettings;
  readonly #clock: () => number;
  readonly #running = new Map<Attempt, Running>();
  /** Of attempts that run here, and of those whose own folder is still being removed. */
  readonly #names = new Set<string>();
  readonly #cleaning = new Set<Promise<void>>();
  readonly #free: Slot[] = [];
  /** Work during which no attempt of the same user may start. */
  readonly #alone = new Map<number | undefined, Promise<unknown>>();

  constructor(settings: SlotSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? (() => performance.now());
  }

  /** @throws if this attempt is already running here */
  take(job: Job): Attempt {
    const name = this.#newName(job);
    try {
      const slot = this.#isOwn(job) ? undefined : this.#takeSlot(job);
      const attempt = slot?.attempt ?? this.#create(name, job);
      this.#running.set(attempt, { name, slot });
      return attempt;
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
  }

  #newName(job: Job): string {
    const name = attemptFolderName(job);
    if (this.#names.has(name)) throw Object.assign(new Error("this attempt is already running here"), { code: "EEXIST" });
    this.#names.add(name);
    return name;
  }

  #isOwn(job: Pick<Job, "volumes" | "workspaces" | "network">): boolean {
    const { level, identities } = this.#settings;
    return job.volumes !== undefined || !level.hasOwnFiles || canHandOn(job, level) || (identities !== undefined && canLeaveKeys(level));
  }

  /** Whether steps are started by a program, and not by a shell. */
  get hasLauncher(): boolean {
    return this.#settings.launcher !== undefined;
  }

  /** A folder for an attempt that is not known yet; until then it has no name. @throws errors of the disk */
  takeAhead(): Attempt {
    const slot = this.#takeSlot({ teamId: "", workspaces: [] });
    this.#running.set(slot.attempt, { name: "", slot });
    return slot.attempt;
  }

  /** Whether this attempt could have a folder that was taken ahead. */
  canBeAhead(job: Pick<Job, "volumes" | "workspaces" | "network">): boolean {
    return !this.#isOwn(job);
  }

  /** @throws if this attempt is already running here */
  assign(attempt: Attempt, job: Job): void {
    const running = this.#running.get(attempt);
    if (running) running.name = this.#newName(job);
  }

  /** Called before its first process: waits until the processes of its user are ended. */
  async waitForUser({ identity }: Attempt): Promise<void> {
    await this.#alone.get(identity?.uid);
  }

  /** Returns the folder of an attempt whose processes have ended; cleaning continues in the background. */
  async release(attempt: Attempt): Promise<void> {
    const { name, slot } = this.#running.get(attempt) ?? { name: "", slot: undefined };
    this.#running.delete(attempt);
    // The folder of a slot has its own name; any other folder must be removed before its name can be used again.
    if (slot) this.#names.delete(name);
    if (slot && watchedFolders(attempt).every((folder) => isSame(folder, slot)) && clearFixed(attempt)) {
      this.#free.push(slot);
      return;
    }
    const work = this.#cleanInBackground(attempt, name, slot);
    if (this.#cleaning.size > maxCleaning) await work;
  }

  /** Resolves when nothing is being cleaned any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#cleaning);
  }

  #takeSlot(job: Pick<Job, "teamId" | "workspaces">): Slot {
    const now = this.#clock();
    const aged = this.#free.findIndex(({ agedAt }) => agedAt <= now);
    const [slot] = aged < 0 ? [] : this.#free.splice(aged, 1);
    if (slot) return slot;
    const fresh = watch(this.#create(nextSlotName(), job), now);
    // If a folder is taken too young, its marks prove nothing afterwards.
    fresh.marks.clear();
    return fresh;
  }

  #create(name: string, job: Pick<Job, "teamId" | "workspaces">): Attempt {
    const { parent, identities, launcher } = this.#settings;
    const identity = identities?.take(job);
    try {
      return createAttempt(parent, name, identity, launcher);
    } catch (error) {
      if (identity) identities?.release(identity);
      throw error;
    }
  }

  #makeSlot(identity: Identity | undefined): Slot {
    const { parent, launcher } = this.#settings;
    return watch(createAttempt(parent, nextSlotName(), identity, launcher), this.#clock());
  }

  #cleanInBackground(attempt: Attempt, name: string, slot: Slot | undefined): Promise<void> {
    const work = this.#cleanOutside(attempt)
      .then(() => this.#clean(attempt, slot))
      .catch(this.#settings.onProblem)
      .finally(() => {
        this.#names.delete(name);
        this.#cleaning.delete(work);
      });
    this.#cleaning.add(work);
    return work;
  }

  async #cleanOutside(attempt: Attempt): Promise<void> {
    const { cleanUp, onProblem } = this.#settings;
    const user = this.#userOf(attempt);
    if (!user.isBusy()) await cleanUp?.(attempt, user).catch(onProblem);
  }

  #userOf({ identity }: Attempt): AttemptUser {
    const isBusy = (): boolean => [...this.#running.keys()].some((running) => running.identity?.uid === identity?.uid);
    return {
      isBusy,
      alone: (work) => {
        if (isBusy()) return undefined;
        const result = work();
        const uid = identity?.uid;
        const ended = Promise.all([this.#alone.get(uid), result.catch(() => undefined)]);
        this.#alone.set(uid, ended);
        void ended.then(() => this.#alone.get(uid) === ended && this.#alone.delete(uid));
        return result;
      },
    };
  }

  async #clean(attempt: Attempt, slot: Slot | undefined): Promise<void> {
    if (slot && this.#free.length < maxFree) return this.#renew(attempt, slot);
    await removeTree(attempt.folder);
    if (attempt.identity) this.#settings.identities?.release(attempt.identity);
  }

  async #renew(attempt: Attempt, slot: Slot): Promise<void> {
    const isKept = isSame(attempt.writable, slot);
    if (isKept) await renewFolders(slot);
    else await removeTree(attempt.folder);
    this.#free.push(isKept ? watch(attempt, this.#clock()) : this.#makeSlot(attempt.identity));
  }
}

/**
 * A step that shares something with other tasks (a workspace, or the network of the machine with its abstract sockets) can pass an open
 * folder to one of them. That task could still look into the folder if it were reused, so it is not.
 */
function canHandOn({ workspaces, network }: Pick<Job, "workspaces" | "network">, { hasOwnNetwork }: Pick<Level, "hasOwnNetwork">): boolean {
  return workspaces.length > 0 || network === "host" || !hasOwnNetwork;
}

/** The kernel keeps the keys of a user who has no processes: a step of another team that runs as the same user would find them. */
function canLeaveKeys({ filtersCalls }: Pick<Level, "filtersCalls">): boolean {
  return !filtersCalls;
}

/** Creates changed folders again, and removes what the service wrote. */
async function renewFolders(slot: Slot): Promise<void> {
  const { attempt } = slot;
  if (!clearFixed(attempt)) throw new Error(`files of an attempt can't be removed from ${attempt.fixed}`);
  for (const folder of userFolders(attempt).filter((candidate) => !isSame(candidate, slot))) {
    await removeTree(folder);
    makeWritable(folder, attempt.identity);
  }
}

function watchedFolders(attempt: Attempt): string[] {
  return [attempt.writable, ...userFolders(attempt)];
}

function watch(attempt: Attempt, now: number): Slot {
  const marks = new Map(watchedFolders(attempt).map((folder) => [folder, markOf(folder)]));
  return { attempt, marks, agedAt: now + agedAfterMs };
}

function markOf(folder: string): string {
  const { ino, ctimeNs, mode } = lstatSync(folder, { bigint: true });
  return `${ino} ${ctimeNs} ${mode}`;
}

function isSame(folder: string, { marks }: Slot): boolean {
  try {
    return markOf(folder) === marks.get(folder);
  } catch {
    return false;
  }
}

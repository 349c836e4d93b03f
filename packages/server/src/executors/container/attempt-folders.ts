import { chownSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../base/file/remove-tree.ts";
import { RetryLater } from "../../base/process/retry-later.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, attemptFolderName, attemptPlace, createAttempt } from "../folders/attempt-folder.ts";
import type { Identity, IdentityPool } from "../folders/identity.ts";
import type { AttemptRoot } from "./attempt-root.ts";

/** The user of steps when the service is root but has no ids to assign. */
const nobody: Identity = { uid: 65_534, gid: 65_534 };

/**
 * The folders of attempts. A file in each one names its owner, and takes precedence over the label of a container: labels can't be changed
 * when another process takes over a container.
 */
export class AttemptFolders {
  readonly #root: AttemptRoot;
  readonly #identities: IdentityPool | undefined;
  readonly #onProblem: (error: unknown) => void;
  readonly #running = new Set<string>();
  readonly #removing = new Set<Promise<void>>();
  readonly #later = new RetryLater(() => performance.now());

  constructor(root: AttemptRoot, identities: IdentityPool | undefined, onProblem: (error: unknown) => void) {
    this.#root = root;
    this.#identities = identities;
    this.#onProblem = onProblem;
  }

  /** @throws EEXIST if this attempt is already running here */
  take(job: Job): Attempt {
    const name = attemptFolderName(job);
    const identity = this.#identities?.take(job) ?? (process.geteuid?.() === 0 ? nobody : undefined);
    try {
      const attempt = createAttempt(this.#root.attempts, name, identity);
      return this.#own(attempt);
    } catch (error) {
      if (identity) this.#identities?.release(identity);
      throw error;
    }
  }

  #own(attempt: Attempt): Attempt {
    try {
      writeFileSync(ownerFile(attempt.folder), this.#root.owner.name);
      makeTerminationFile(attempt);
      this.#running.add(attempt.name);
      return attempt;
    } catch (error) {
      // Otherwise no process would consider it its own.
      rmSync(attempt.folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Takes over the folder of an attempt whose worker is dead, with the user that owns its files. */
  async adopt(name: string): Promise<Attempt> {
    const { folder, writable } = attemptPlace(this.#root.attempts, name, undefined);
    const { uid, gid } = await stat(join(writable, "work"));
    await writeFile(ownerFile(folder), this.#root.owner.name);
    const attempt = attemptPlace(this.#root.attempts, name, process.geteuid?.() === 0 ? { uid, gid } : undefined);
    makeTerminationFile(attempt);
    this.#running.add(name);
    return attempt;
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Names of all folders, of all processes. */
  list(): Promise<string[]> {
    return readdir(this.#root.attempts);
  }

  /** @returns undefined if there is no such folder, or it names no owner */
  async ownerOf(name: string): Promise<string | undefined> {
    const text = await readFile(ownerFile(join(this.#root.attempts, name)), "utf8").catch(() => "");
    return text || undefined;
  }

  /** Removes a folder in the background, once its containers are gone. */
  releaseAfter(gone: Promise<unknown>, { name, folder, identity }: Attempt): void {
    const remove = async (): Promise<void> => {
      await gone;
      await this.#remove(folder);
    };
    const work = remove().finally(() => {
      this.#running.delete(name);
      if (identity) this.#identities?.release(identity);
      this.#removing.delete(work);
    });
    this.#removing.add(work);
  }

  /** Removes what a dead process left. What can't be removed is retried at growing intervals. */
  async discard(name: string): Promise<void> {
    if (this.#running.has(name) || !this.#later.isDue(name)) return;
    try {
      await removeTree(join(this.#root.attempts, name));
      this.#later.succeed(name);
    } catch (error) {
      if (this.#later.fail(name, String(error)).isNew) this.#onProblem(error);
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#removing);
  }

  #remove(folder: string): Promise<void> {
    return removeTree(folder).catch(this.#onProblem);
  }
}

/** Outside the folders that steps can write to, so that no step can replace it with a link. */
export function terminationFile({ writable }: Attempt): string {
  return join(writable, "termination");
}

/**
 * Also created for an attempt that an older version of the service started without it: otherwise its next step's container could not be
 * created.
 */
function makeTerminationFile(attempt: Attempt): void {
  writeFileSync(terminationFile(attempt), "", { flag: "a", mode: 0o600 });
  if (attempt.identity) chownSync(terminationFile(attempt), attempt.identity.uid, attempt.identity.gid);
}

function ownerFile(folder: string): string {
  return join(folder, "owner");
}

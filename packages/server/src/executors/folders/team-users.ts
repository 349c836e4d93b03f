import { createHash, randomUUID } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Assigns each team a user from a range. No two teams get the same one, since users are what keeps the files of teams apart. A hash of the
 * team says where to look first, so that machines which share nothing mostly agree; a user that another team has is skipped. The assignment
 * is stored beside the workspaces, a file per user with the team in it, for all processes that use them: files of a team may stay there
 * long after its last run.
 */
export class TeamUsers {
  readonly #base: number;
  readonly #count: number;
  readonly #folder: string | undefined;
  readonly #known = new Map<string, number>();
  readonly #taken = new Map<number, string>();

  /** @param folder where it is stored, absolute; undefined: it is kept only while this process lives */
  constructor(base: number, count: number, folder?: string) {
    this.#base = base;
    this.#count = count;
    this.#folder = folder;
  }

  /** @throws Error if other teams have all of them */
  uidOf(teamId: string): number {
    const known = this.#known.get(teamId);
    if (known !== undefined) return known;
    const first = createHash("sha256").update(teamId).digest().readUInt32BE(0);
    for (let tries = 0; tries < this.#count; tries++) {
      const uid = this.#base + ((first + tries) % this.#count);
      if (this.#ownerOf(uid, teamId) !== teamId) continue;
      this.#known.set(teamId, uid);
      return uid;
    }
    throw new Error(`other teams have all ${this.#count} user ids that this machine has for them`);
  }

  /** The team that has the user: this one, if no team had it. */
  #ownerOf(uid: number, teamId: string): string {
    const owner = this.#taken.get(uid) ?? (this.#folder === undefined ? teamId : claim(this.#folder, uid, teamId));
    this.#taken.set(uid, owner);
    return owner;
  }
}

/** The users of steps pass through the folder of workspaces that contains this one, whatever the umask of this process. */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (mkdirSync(parent, { recursive: true, mode: 0o711 }) !== undefined) chmodSync(parent, 0o711);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Written atomically, and the first of several processes wins. */
function claim(folder: string, uid: number, teamId: string): string {
  makeFolder(folder);
  const file = join(folder, String(uid));
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, teamId, { mode: 0o600, flag: "wx", flush: true });
    linkSync(draft, file);
    return teamId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readFileSync(file, "utf8");
  } finally {
    rmSync(draft, { force: true });
  }
}

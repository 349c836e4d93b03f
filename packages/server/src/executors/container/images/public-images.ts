import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BoundedCache } from "../../../base/process/bounded-cache.ts";
import { shortHash } from "../../../base/text/short-hash.ts";

/** How long a registry's response is valid, in ms: a repository may be made private. */
const heldMs = 7 * 86_400_000;
/** How long a repository that refused a request without credentials is not asked without them again. */
const closedMs = 3_600_000;
const maxClosed = 10_000;

/**
 * What registries give to everyone: images that were pulled without credentials, by the name of the pull. There is a file for each, in a
 * folder that all executors of an installation share, so that after a restart no registry is asked again about public images.
 */
export class PublicImages {
  readonly #folder: string;
  readonly #closedUntil = new BoundedCache<number>("closed-images", { maxEntries: maxClosed });

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param folder created if missing; outdated entries in it are removed */
  static async open(folder: string): Promise<PublicImages> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const images = new PublicImages(folder);
    for (const name of await readdir(folder)) if (!(await isFresh(join(folder, name)))) await rm(join(folder, name), { force: true });
    return images;
  }

  has(name: string, id: string): Promise<boolean> {
    return isFresh(this.#file(name, id));
  }

  async add(name: string, id: string): Promise<void> {
    await writeFile(this.#file(name, id), `${name} ${id}\n`, { mode: 0o600 });
  }

  isKnownClosed(name: string, id: string): boolean {
    const now = performance.now();
    return this.#closedUntil.get(shortHash([name, id]), (until) => until > now) !== undefined;
  }

  noteClosed(name: string, id: string): void {
    this.#closedUntil.set(shortHash([name, id]), performance.now() + closedMs);
  }

  #file(name: string, id: string): string {
    return join(this.#folder, shortHash([name, id]));
  }
}

async function isFresh(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < heldMs;
}

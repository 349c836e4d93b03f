import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";

/**
 * The settings, kept in memory for two seconds, for what happens too often to read them each time: submissions, the claims of the engine,
 * the limits of requests. A change made through this process is seen at once (`forget`), one made through another process after at most
 * `freshMs`. From half of that on one caller reads them again while others use what is known, so that not all of them read at once.
 *
 * A transaction may still see the state before a committed change. The revision tells, and an older one is never cached.
 */
export class LiveSettings {
  readonly #nowMs: () => number;
  #known: { settings: InstanceSettings; readAtMs: number } | undefined;
  #oldestRevision = 0;
  #isRefreshing = false;

  /** @param nowMs a monotonic clock, which tests replace */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @param db of the caller's transaction, if it has one */
  async load(db: Queryable): Promise<InstanceSettings> {
    const now = this.#nowMs();
    const ageMs = this.#known === undefined ? Number.POSITIVE_INFINITY : now - this.#known.readAtMs;
    if (this.#known !== undefined && ageMs < (this.#isRefreshing ? freshMs : freshMs / 2)) return this.#known.settings;
    this.#isRefreshing = true;
    try {
      return this.#keep(await readSettings(db), now);
    } finally {
      this.#isRefreshing = false;
    }
  }

  /** Call after the commit of a change, with its revision. */
  forget(revision: number): void {
    this.#oldestRevision = Math.max(this.#oldestRevision, revision);
    if (this.#known !== undefined && this.#known.settings.revision < this.#oldestRevision) this.#known = undefined;
  }

  #keep(settings: InstanceSettings, readAtMs: number): InstanceSettings {
    const known = this.#known;
    if (known !== undefined && known.settings.revision > settings.revision) return known.settings;
    if (settings.revision >= this.#oldestRevision) this.#known = { settings, readAtMs };
    return settings;
  }
}

const freshMs = 2000;

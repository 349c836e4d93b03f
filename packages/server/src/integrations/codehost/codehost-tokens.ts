import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { askCodehost, type Budget } from "./codehost-ask.ts";
import { CodehostError } from "./codehost-error.ts";
import { type CodehostApp, openOctokit } from "./codehost-octokit.ts";

/** A secret. */
export interface InstallationToken {
  token: string;
  /** Epoch milliseconds. */
  expiresAtMs: number;
}

/** The platform's tokens are valid for an hour; one that is returned should remain valid for a while. */
const leastLeftMs = 30 * 60_000;
const maxKept = 500;

/**
 * Tokens of installations, kept in memory until shortly before they expire. Concurrent requests for the same token wait for one call.
 */
export class CodehostTokens {
  readonly #app: CodehostApp;
  readonly #kept = new BoundedCache<Promise<InstallationToken>>("codehost-tokens", { maxEntries: maxKept });

  constructor(app: CodehostApp) {
    this.#app = app;
  }

  async get(ref: string, repositoryId: number | undefined, budget: Budget): Promise<InstallationToken> {
    const key = `${ref} ${repositoryId ?? ""}`;
    const before = this.#kept.get(key);
    if (before !== undefined) {
      const known = await before.catch(() => undefined);
      if (known && known.expiresAtMs - Date.now() > leastLeftMs) return known;
      // Another waiting caller may already have requested a new one.
      const since = this.#kept.peek(key);
      if (since !== undefined && since !== before) return since;
    }
    return this.#keep(key, this.#ask(ref, repositoryId, budget));
  }

  /** The platform no longer accepts them. */
  forget(ref: string): void {
    for (const key of [...this.#kept.keys()]) if (key.startsWith(`${ref} `)) this.#kept.delete(key);
  }

  #keep(key: string, asked: Promise<InstallationToken>): Promise<InstallationToken> {
    this.#kept.set(key, asked);
    asked.catch(() => {
      if (this.#kept.peek(key) === asked) this.#kept.delete(key);
    });
    return asked;
  }

  async #ask(ref: string, repositoryId: number | undefined, budget: Budget): Promise<InstallationToken> {
    const { asApp } = await openOctokit(this.#app);
    const call = {
      route: "POST /app/installations/{installation_id}/access_tokens",
      parameters: { installation_id: Number(ref), ...(repositoryId !== undefined && { repository_ids: [repositoryId] }) },
      // A second token is harmless: the first one is never used, and expires.
      isRepeatable: true,
      notFound: "installation",
    } as const;
    const { token, expires_at } = membersOf((await askCodehost(asApp, call, budget)).data);
    const expiresAtMs = Date.parse(String(expires_at));
    if (typeof token !== "string" || token === "" || Number.isNaN(expiresAtMs))
      throw new CodehostError("unavailable", "its response has no token");
    return { token, expiresAtMs };
  }
}

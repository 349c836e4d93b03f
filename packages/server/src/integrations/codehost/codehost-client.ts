import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { askCodehost, Budget, type CodehostAnswer } from "./codehost-ask.ts";
import { CodehostError } from "./codehost-error.ts";
import { type CodehostApp, openOctokit } from "./codehost-octokit.ts";
import { CodehostTokens, type InstallationToken } from "./codehost-tokens.ts";

/** An installation as currently reported by the platform. */
export interface LiveInstallation {
  /** The platform's installation object. */
  data: Record<string, unknown>;
  isSuspended: boolean;
  /** Short names; undefined if the platform does not report them: while it is suspended. */
  repositories: string[] | undefined;
  /** Epoch milliseconds; undefined if not reported. */
  createdAtMs: number | undefined;
}

const pageSize = 100;
/** Names are only displayed; for a larger organization, only the first ones. */
const maxPages = 50;

/**
 * The codehost's API as the app, or as one of its installations. Every call is bounded (codehost-ask.ts), and every failure is a
 * CodehostError that names what to fix. Must not be used inside a database transaction.
 */
export class CodehostClient {
  readonly #app: CodehostApp;
  readonly #tokens: CodehostTokens;

  constructor(app: CodehostApp) {
    this.#app = app;
    this.#tokens = new CodehostTokens(app);
  }

  /** @param ref the platform's id of the installation. @throws CodehostError */
  async readInstallation(ref: string): Promise<LiveInstallation> {
    const budget = new Budget();
    const { asApp } = await openOctokit(this.#app);
    const call = {
      route: "GET /app/installations/{installation_id}",
      parameters: { installation_id: Number(ref) },
      isRepeatable: true,
      notFound: "installation",
    } as const;
    const data = { ...membersOf((await askCodehost(asApp, call, budget)).data) };
    if (String(data["id"]) !== ref)
      throw new CodehostError("address", "it does not respond like the codehost; check the setting codehost.baseURL");
    const isSuspended = typeof data["suspended_at"] === "string";
    const repositories = isSuspended ? undefined : await this.#listRepositories(ref, budget);
    return { data, isSuspended, repositories, createdAtMs: timeOf(data["created_at"]) };
  }

  /**
   * A token of the installation, valid for at least half an hour.
   * @param repositoryId valid for this repository only; undefined: for all that the installation has
   */
  token(ref: string, repositoryId?: number): Promise<InstallationToken> {
    return this.#tokens.get(ref, repositoryId, new Budget());
  }

  /**
   * A call as the installation. Its token is renewed once if the platform no longer accepts it.
   * @param parameters of the route, `{owner}` and the like, and the members of the body
   */
  async asInstallation(
    ref: string,
    call: { route: string; parameters: Record<string, unknown>; isRepeatable: boolean; signal?: AbortSignal | undefined },
    budget = new Budget(),
  ): Promise<CodehostAnswer> {
    const { asAnybody } = await openOctokit(this.#app);
    const ask = async () => {
      const { token } = await this.#tokens.get(ref, undefined, budget);
      const parameters = { ...call.parameters, headers: { authorization: `token ${token}` } };
      return askCodehost(asAnybody, { ...call, parameters, notFound: "other" }, budget);
    };
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CodehostError && error.httpStatus === 401)) throw error;
      this.#tokens.forget(ref);
      return ask();
    }
  }

  async #listRepositories(ref: string, budget: Budget): Promise<string[]> {
    const names = new Set<string>();
    for (let page = 1; page <= maxPages; page += 1) {
      const call = { route: "GET /installation/repositories", parameters: { per_page: pageSize, page }, isRepeatable: true };
      const { data, link } = await this.asInstallation(ref, call, budget);
      const { repositories } = membersOf(data);
      for (const repository of Array.isArray(repositories) ? repositories : []) {
        const { name } = membersOf(repository);
        if (typeof name === "string" && /^[^\p{Cc}]{1,200}$/u.test(name)) names.add(name);
      }
      if (!link?.includes('rel="next"')) break;
    }
    return [...names];
  }
}

function timeOf(text: unknown): number | undefined {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * The client of the app that the settings name. It is kept while the settings stay the same, because it caches tokens and the parsed key;
 * with a changed key or URL a new one is created.
 */
export class CodehostClients {
  readonly #fetch: PlatformFetch;
  #last: { app: CodehostApp; client: CodehostClient } | undefined;

  constructor(fetch: PlatformFetch) {
    this.#fetch = fetch;
  }

  of(settings: Omit<CodehostApp, "fetch">): CodehostClient {
    const app = { ...settings, fetch: this.#fetch };
    const last = this.#last;
    if (last && last.app.apiUrl === app.apiUrl && last.app.appId === app.appId && last.app.pem === app.pem) return last.client;
    const client = new CodehostClient(app);
    this.#last = { app, client };
    return client;
  }
}

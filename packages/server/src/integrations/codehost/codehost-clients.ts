import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { CodehostClient } from "./codehost-client.ts";
import type { CodehostApp } from "./codehost-octokit.ts";

/**
 * The client of the app that the settings name. One is kept as long as they stay the same, because it holds tokens and the key that
 * was read; with a changed key or address everything starts over.
 */
export class CodehostClients {
  private readonly fetch: PlatformFetch;
  private last: { app: CodehostApp; client: CodehostClient } | undefined;

  constructor(fetch: PlatformFetch) {
    this.fetch = fetch;
  }

  of(settings: Omit<CodehostApp, "fetch">): CodehostClient {
    const app = { ...settings, fetch: this.fetch };
    const { last } = this;
    if (last && last.app.apiUrl === app.apiUrl && last.app.appId === app.appId && last.app.pem === app.pem) return last.client;
    const client = new CodehostClient(app);
    this.last = { app, client };
    return client;
  }
}

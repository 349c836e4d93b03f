import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import { repositoryRoot } from "../../../server/src/base/file/repository-root.ts";
import { createFactories, type Factories } from "../../../server/test/kit/factories.ts";
import { type TestInstance, testInstance } from "../../../server/test/kit/start/test-instance.ts";
import { takePage } from "./kept-page.ts";

/** The complete service with its built interface, and users with their own browser contexts. */
export interface Site extends TestInstance {
  /** `http://HOST:PORT` */
  address: string;
  make: Factories;
  /** Calls the API with that token and returns the body of the response. Fails on an error status. */
  call<Body = Record<string, unknown>>(token: string, method: string, path: string, body?: unknown): Promise<Body>;
  /** A page for the user of that token, as after signing in; signed out without a token. */
  open(path: string, token?: string): Promise<Page>;
  /** A user with that role in the team, with their page. */
  openAs(role: TeamRole, team: { id: string }, path: string): Promise<Page>;
  adminToken: string;
}

const adminToken = "admin-token-of-the-browser-tests";

/** Once per process, which runs several files. */
let built: Promise<void> | undefined;

async function build(): Promise<void> {
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { buildWeb } = await import("../../../../scripts/build-web.mjs");
  await buildWeb();
  spawnSync(process.execPath, [join(repositoryRoot, "packages/server/catalog/build-programs.mjs"), join(repositoryRoot, "dist/programs")]);
}

/** The port of the previous site in this process. */
let lastPort = 0;

/** The same port again, if it is still free: at the same address, the browser has the interface cached and compiled. */
async function choosePort(): Promise<string> {
  const server = createServer();
  const isFree = await new Promise<boolean>((done) => {
    server.once("error", () => done(false));
    server.listen(lastPort, "127.0.0.1", () => done(true));
  });
  if (!isFree) return "0";
  await new Promise((done) => server.close(done));
  return String(lastPort);
}

/** `const site = await openSite();` at the top level of a file. Errors in a page (exceptions, blocked scripts) fail the file. */
export async function openSite(environment: Record<string, string> = {}): Promise<Site> {
  built ??= build();
  await built;
  const test = await testInstance({ MILLRACE_ADMIN_TOKEN: adminToken, MILLRACE_PORT: await choosePort(), ...environment });
  const address = test.instance.address as string;
  lastPort = Number(new URL(address).port);
  const make = createFactories(test.sql);
  const troubles: string[] = [];
  afterAll(() => {
    if (troubles.length > 0) throw new Error(`the pages had troubles:\n${troubles.join("\n")}`);
  });

  async function open(path: string, token?: string): Promise<Page> {
    const page = await takePage();
    if (token !== undefined)
      await page.context().addCookies([{ name: "millrace-session", value: token, url: address, httpOnly: true, sameSite: "Lax" }]);
    // Several browsers may share two slow cores.
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => troubles.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security Policy|React|Warning:/.test(message.text()))
        troubles.push(`${page.url()}: ${message.text()}`);
    });
    await page.goto(address + path);
    return page;
  }

  return {
    ...test,
    address,
    make,
    open,
    adminToken,
    async openAs(role, team, path) {
      const { token } = await make.member(team.id, role);
      return open(path, token);
    },
    async call(token, method, path, body) {
      const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) };
      const answer = await fetch(address + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return (text === "" ? undefined : JSON.parse(text)) as never;
    },
  };
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { makeCheckout, run, type Started } from "../../kit/start/start-fixture.ts";

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

function checkout(options?: Parameters<typeof makeCheckout>[0]): string {
  const folder = makeCheckout(options);
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(folder: string, env: NodeJS.ProcessEnv = {}, command = ["npm", "start"]): Started {
  const started = run(folder, command, env);
  closing.push(() => killGroup(started));
  return started;
}

function killGroup({ child }: Started): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It ended, as it should.
  }
}

const readyPid = async (started: Started) => Number((await started.until("ready")).split(" ")[1]);

test("a fresh checkout is installed and built, and the next start skips both", async () => {
  const folder = checkout();
  const first = start(folder);
  await first.until("ready");
  expect(first.lines.join("\n")).toContain("installing packages");
  process.kill(-first.child.pid!, "SIGTERM");
  expect(await first.ended).toEqual({ code: 0, signal: null });
  const built = readdirSync(join(folder, "dist"));
  const second = start(folder);
  await second.until("ready");
  expect(second.lines.join("\n")).not.toContain("installing");
  expect(readdirSync(join(folder, "dist"))).toEqual(built);
  second.child.kill("SIGTERM");
  await second.ended;
});

test.each([
  ["to npm alone", (started: Started) => started.child.kill("SIGTERM")],
  ["to the whole group", (started: Started) => process.kill(-started.child.pid!, "SIGTERM")],
  ["to the whole group, twice", (started: Started) => void [1, 2].map(() => process.kill(-started.child.pid!, "SIGINT"))],
])("a signal to stop %s drains the service and ends well", async (_, send) => {
  const started = start(checkout());
  const pid = await readyPid(started);
  send(started);
  await started.until("drained");
  expect(await started.ended).toEqual({ code: 0, signal: null });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a signal during the installation ends it and all that it started, and the next start repeats it", async () => {
  const registry = await silentRegistry();
  const folder = checkout({ registry: registry.url });
  const started = start(folder);
  await registry.asked;
  process.kill(-started.child.pid!, "SIGTERM");
  expect(await started.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(join(folder, ".install-lock"))).toBe(false);
  registry.answerWith(readFileSync(join(folder, "esbuild.tgz")));
  const again = start(folder);
  await again.until("ready");
  expect(again.lines.join("\n")).toContain("installing packages");
});

test("of two commands at once one installs, and both continue", async () => {
  const registry = await silentRegistry();
  const folder = checkout({ registry: registry.url });
  const first = start(folder);
  await registry.asked;
  const second = start(folder);
  await second.until("another command is installing the packages; waiting");
  registry.answerWith(readFileSync(join(folder, "esbuild.tgz")));
  await Promise.all([first.until("ready"), second.until("ready")]);
  expect(second.lines.join("\n")).not.toContain("about 300 MB");
});

test("a lock whose owner was killed does not block", async () => {
  const folder = checkout();
  mkdirSync(join(folder, ".install-lock"));
  writeFileSync(join(folder, ".install-lock/owners"), "[999999999]");
  await start(folder).until("ready");
});

test("the environment does not change what is installed: production, silence, no home", async () => {
  const folder = checkout();
  const env = { NODE_ENV: "production", HOME: "/nonexistent/home", npm_config_omit: "dev", npm_config_dry_run: "true" };
  const started = start(folder, env, [process.execPath, "scripts/start.mjs"]);
  await started.until("ready");
  expect(existsSync(join(folder, ".millrace/npm-cache"))).toBe(true);
  const quiet = start(checkout(), {}, ["npm", "start", "--silent"]);
  await quiet.until("ready");
});

test("an installed package that was removed is noticed", async () => {
  const folder = checkout();
  const first = start(folder);
  await first.until("ready");
  first.child.kill("SIGTERM");
  await first.ended;
  rmSync(join(folder, "node_modules/esbuild"), { recursive: true });
  const second = start(folder);
  await second.until("ready");
  expect(second.lines.join("\n")).toContain("installing packages");
});

test("changed sources are built again", async () => {
  const folder = checkout({ main: 'export async function main() { console.log("ready one"); }' });
  await start(folder).until("ready one");
  writeFileSync(join(folder, "packages/server/src/main.ts"), 'export async function main() { console.log("ready two"); }');
  await start(folder).until("ready two");
});

test("sources that cannot be built, and a registry that does not answer, are reported in a line", async () => {
  const broken = start(checkout({ main: "export async function main() { return }}" }));
  expect(await broken.ended).toMatchObject({ code: 1 });
  expect(broken.lines.join("\n")).toMatch(/millrace: The sources cannot be built: Unexpected "}" \(packages\/server\/src\/main\.ts:1\)/);
  const alone = start(checkout({ registry: "http://127.0.0.1:9" }), { npm_config_fetch_retries: "0" }, [
    process.execPath,
    "scripts/start.mjs",
  ]);
  expect(await alone.ended).toMatchObject({ code: 1 });
  expect(alone.lines.join("\n")).toContain("the registry cannot be reached; check the network or the proxy settings");
});

// Node itself needs some: 24.21 can't read its first file with 20.
test.each([32, 64, 255])("a limit of %d open files ends the start with one line that names it", async (limit) => {
  const started = start(checkout(), {}, ["sh", "-c", `ulimit -n ${limit}; exec "$0" scripts/start.mjs`, process.execPath]);
  expect(await started.ended).toMatchObject({ code: 1 });
  expect(started.lines).toEqual([expect.stringMatching(new RegExp(`^millrace: A process may open only ${limit} files .* ulimit -n 4096`))]);
});

test("the lockfile knows every package of every platform, and none wants a newer Node than ours", () => {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
  const entries = Object.values(packages) as { optionalDependencies?: Record<string, string>; engines?: { node?: string } }[];
  const missing = entries
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => !(`node_modules/${name}` in packages));
  expect(missing).toEqual([]);
  expect(entries.map((entry) => entry.engines?.node).filter((range) => range && /^>=? ?2[2-9]/.test(range))).toEqual([]);
});

/** A registry that keeps npm waiting until the test gives it a response to send. */
async function silentRegistry() {
  let body: Buffer | undefined;
  const waiting: (() => void)[] = [];
  let wasAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  const server: Server = createServer((_, response) => {
    const answer = () => void response.end(body);
    if (body) answer();
    else waiting.push(answer);
    wasAsked();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const answerWith = (content: Buffer) => {
    body = content;
    for (const answer of waiting.splice(0)) answer();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answerWith };
}

test("a stack names the source, not the bundle", async () => {
  const main = [
    "interface Fault { words: string }",
    "",
    "export async function main(): Promise<void> {",
    "  const fault: Fault = { words: 'broken' };",
    "  throw new Error(fault.words);",
    "}",
  ].join("\n");
  const started = start(checkout({ main }));
  await started.ended;
  expect(started.lines.join("\n")).toMatch(/at .*main.*packages\/server\/src\/main\.ts:5:/);
});

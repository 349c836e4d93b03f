import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../src/base/repository-root.ts";

/**
 * A newcomer's first minutes: the service starts on an empty folder, shows the sample run, and every marked block of the documents does what
 * they say: first the two walks, then the pages that go on from there, in any order. The blocks are turned into a script by the same program
 * that CI runs them with.
 */
const pages = readdirSync(join(repositoryRoot, "docs"), { encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ page: `docs/${name}`, text: readFileSync(join(repositoryRoot, "docs", name), "utf8") }));
const walks = ["README.md", "docs/getting-started.md"];
const furtherPages = pages.filter(({ page, text }) => /^<!-- walk\b/m.test(text) && !walks.includes(page)).map(({ page }) => page);

const folder = mkdtempSync(join(tmpdir(), "walk-"));
// As open as the folder of a checkout usually is.
chmodSync(folder, 0o755);
const service = spawn(process.execPath, [join(repositoryRoot, "scripts/start.mjs")], {
  cwd: repositoryRoot,
  env: { PATH: process.env.PATH, HOME: folder, MILLRACE_PORT: "0", MILLRACE_DATA_DIR: join(folder, ".millrace") },
  stdio: ["ignore", "pipe", "inherit"],
});
const said: string[] = [];
let address = "";

beforeAll(async () => {
  for await (const line of createInterface(service.stdout)) {
    said.push(line);
    address = /^millrace ready on (http:\S+)/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  service.stdout.resume();
}, 300_000);

afterAll(async () => {
  const ended = new Promise((resolve) => service.once("exit", resolve));
  if (service.exitCode === null && service.kill("SIGTERM")) await ended;
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test("the first start runs a sample to its end and says so before it is ready", () => {
  expect(address, said.join("\n")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(said.join("\n")).toMatch(/hello-chain[\s\S]*succeeded/);
});

test("every block of commands in the pages is one that is run; what can't be is marked as text", () => {
  const block = /^(.*)\n```(?:sh|bash|shell|console)\n(.*)/gm;
  const unmarked = pages.flatMap(({ page, text }) =>
    [...text.matchAll(block)].filter(([, mark = ""]) => !/^<!-- walk(: .*)? -->$/.test(mark)).map(([, , command]) => `${page}: ${command}`),
  );
  expect(unmarked).toEqual([]);
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;
describe.runIf(hasCurl)("every marked block works as it is written", () => {
  test.each([...walks, ...furtherPages])("in %s", { timeout: 180_000 }, async (document) => {
    const maker = join(repositoryRoot, ".ci/walk-script.mjs");
    const script = execFileSync(process.execPath, [maker, join(repositoryRoot, document), address, join(folder, "output")]);
    writeFileSync(join(folder, "walk.sh"), script);
    const environment = { PATH: process.env.PATH, HOME: folder };
    const { stdout } = await promisify(execFile)("bash", ["walk.sh"], { cwd: folder, env: environment }).catch((failure) => failure);
    expect(stdout).not.toContain("FAILED");
    const [, done, all] = /ok (\d+)\/(\d+) \S+\n$/.exec(stdout) ?? [];
    expect(done, stdout).toBe(all);
    expect(Number(all)).toBeGreaterThan(0);
  });
});

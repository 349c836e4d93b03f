import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { run } from "../../kit/start/start-fixture.ts";

/** A release is made in its own clone, with the current files of this checkout. */

// On the same disk as the packages, because they are hard-linked into it.
mkdirSync(join(repositoryRoot, "dist"), { recursive: true });
const folder = mkdtempSync(join(repositoryRoot, "dist/release-test-"));
const clone = join(folder, "clone");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync("git", args, { cwd: clone, encoding: "utf8" }).trim();

function makeClone(): void {
  mkdirSync(clone);
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: repositoryRoot });
  const files = listed.toString("utf8").split("\0").filter(Boolean);
  for (const file of files) cpSync(join(repositoryRoot, file), join(clone, file), { recursive: true });
  for (const modules of ["node_modules", ...readdirSync(join(clone, "packages")).map((name) => `packages/${name}/node_modules`)]) {
    // Not links to the folders: the bundler names modules by their real paths.
    if (existsSync(join(repositoryRoot, modules))) execFileSync("cp", ["-al", join(repositoryRoot, modules), join(clone, modules)]);
  }
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Release test");
  git("config", "user.email", "release@example.com");
  git("add", "--all");
  git("commit", "--quiet", "--message", "all of it");
}

async function release(...args: string[]) {
  const command = run(clone, [process.execPath, "scripts/release.mjs", ...args], { HOME: folder });
  const { code } = await command.ended;
  return { code, output: command.lines.join("\n") };
}

const sumsOf = (version: string) => readFileSync(join(clone, "dist/release", version, "SHA256SUMS"), "utf8");

makeClone();

test("a release of the version at hand: all files, checksums that fit, the same bytes a second time, and a tag at the end", async () => {
  const { version } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as { version: string };
  const first = await release(version, "--no-tag");
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining("without a tag") });
  expect(git("tag")).toBe("");
  const files = readdirSync(join(clone, "dist/release", version)).sort();
  const named = ["millrace-VERSION.cdx.json", "millrace-VERSION.tgz", "millrace-chart-VERSION.tgz"];
  const client = ["millrace-client-VERSION.cdx.json", "millrace-client-VERSION.tgz"];
  expect(files).toEqual(["SHA256SUMS", ...[...named, ...client].map((name) => name.replace("VERSION", version))].sort());
  const sums = sumsOf(version).trim().split("\n");
  expect(sums).toHaveLength(5);
  for (const [sum, name] of sums.map((line) => line.split("  ") as [string, string])) {
    const content = readFileSync(join(clone, "dist/release", version, name));
    expect(createHash("sha256").update(content).digest("hex")).toBe(sum);
  }
  const before = sumsOf(version);
  expect(await release(version)).toMatchObject({ code: 0, output: expect.stringContaining(`tagged as v${version}`) });
  expect(sumsOf(version)).toBe(before);
  expect(git("cat-file", "-t", `v${version}`)).toBe("tag");
  expect(git("rev-parse", `v${version}^{commit}`)).toBe(git("rev-parse", "HEAD"));
  expect(await release(version)).toMatchObject({ code: 1, output: expect.stringContaining(`the tag v${version} exists already`) });
}, 600_000);

test("the client works by itself, and the chart is one that helm would take", async () => {
  const { version } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as { version: string };
  const unpack = (name: string) => {
    const to = mkdtempSync(join(folder, "unpacked-"));
    execFileSync("tar", ["-xzf", join(clone, "dist/release", version, `${name}-${version}.tgz`), "-C", to]);
    return to;
  };
  const app = join(folder, "app");
  cpSync(join(unpack("millrace-client"), "package"), join(app, "node_modules/millrace-client"), { recursive: true });
  writeFileSync(join(app, "try.mjs"), 'import { createClient } from "millrace-client";\nconsole.log(typeof createClient);\n');
  expect(execFileSync(process.execPath, [join(app, "try.mjs")], { encoding: "utf8" }).trim()).toBe("function");
  const list = JSON.parse(readFileSync(join(clone, "dist/release", version, `millrace-client-${version}.cdx.json`), "utf8"));
  expect(list.components.map((one: { name: string }) => one.name)).toContain("openapi-fetch");
  const chart = join(unpack("millrace-chart"), "millrace");
  expect(readFileSync(join(chart, "Chart.yaml"), "utf8")).toContain(`version: ${version}`);
  expect(readdirSync(chart, { recursive: true }).length).toBe(readdirSync(join(clone, "deploy/helm/millrace"), { recursive: true }).length);
});

test("the next version is set everywhere, with its section of the changelog, in a commit; uncommitted changes are refused before", async () => {
  const before = (JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as { version: string }).version;
  const changelog = join(clone, "CHANGELOG.md");
  writeFileSync(
    changelog,
    readFileSync(changelog, "utf8").replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- release: a point\n"),
  );
  expect(await release("99.1.0")).toMatchObject({
    code: 1,
    output: expect.stringMatching(/changes that are not committed.*CHANGELOG\.md/),
  });
  git("commit", "--quiet", "--all", "--message", "release: add a point");
  expect(await release("99.1.0")).toMatchObject({ code: 0 });
  expect(git("log", "-1", "--format=%s")).toBe("release: 99.1.0");
  expect(readFileSync(changelog, "utf8")).toMatch(
    /## \[Unreleased\]\n\n## \[99\.1\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- release: a point\n/,
  );
  // Apart from the changelog, only prose, and the dumps of that release with their test, may name the previous version.
  const leftovers = git("grep", "-lE", `(^|[^0-9.])${before.replaceAll(".", "\\.")}([^0-9.]|$)`)
    .split("\n")
    .filter(
      (file) =>
        !/^(CHANGELOG|SECURITY|docs\/upgrade)\.md$|^package-lock\.json$|^packages\/server\/test\/(guarantees\/start\/)?upgrade[./]/.test(
          file,
        ),
    );
  expect(leftovers).toEqual([]);
}, 600_000);

test.each([["1.0"], ["v1.0.0"], ["latest"], ["1.0.0", "2.0.0"], ["1.0.0", "--force"]])(
  "%s is refused as a version, and nothing is done",
  async (...args) => {
    expect(await release(...args)).toMatchObject({ code: 1, output: expect.stringContaining("use npm run release -- VERSION") });
  },
);

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";

/** Other people generate clients of their own from the API document. Each generator is installed in the version that is named here. */

const folder = mkdtempSync(join(tmpdir(), "millrace-generators-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const document = join(repositoryRoot, "packages/server/openapi.json");
const inFolder = (path: string) => join(folder, path);

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

/** Without the registry there is nothing to try. */
function canInstall(command: string, args: readonly string[]): boolean {
  const { status, output } = run(command, args);
  if (status !== 0) console.info(`left out, since it can't be installed: ${output.slice(-500)}`);
  return status === 0;
}

function compile(...files: string[]) {
  const rules = ["--ignoreConfig", "--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2023"];
  const tsc = join(repositoryRoot, "node_modules/typescript/bin/tsc");
  return run(process.execPath, [tsc, ...rules, "--lib", "es2023,dom,dom.iterable", "--types", "", ...files.map(inFolder)]);
}

test("openapi-typescript takes the document without a warning, and its types compile", () => {
  const program = join(repositoryRoot, "packages/client/node_modules/openapi-typescript/bin/cli.js");
  const { status, output } = run(process.execPath, [program, document, "-o", inFolder("types.ts")]);
  expect({ status, output }).toEqual({ status: 0, output: expect.not.stringMatching(/warn|error/i) });
  expect(compile("types.ts")).toEqual({ status: 0, output: "" });
});

test("@hey-api/openapi-ts takes the document without a warning, and its client compiles", { timeout: 180_000 }, ({ skip }) => {
  writeFileSync(inFolder("package.json"), '{ "private": true }');
  const packages = ["@hey-api/openapi-ts@0.95.0", "typescript@5.9.3"];
  if (!canInstall("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages])) return skip();
  const { status, output } = run("npx", ["openapi-ts", "-i", document, "-o", inFolder("hey")], { NO_COLOR: "1" });
  expect({ status, output }).toEqual({ status: 0, output: expect.not.stringMatching(/warn|error|⚠/i) });
  expect(compile("hey/index.ts", "hey/client.gen.ts")).toEqual({ status: 0, output: "" });
});

test("openapi-python-client takes it with the configuration of docs/client.md, and its modules compile", { timeout: 300_000 }, ({
  skip,
}) => {
  const python = inFolder("python/bin/python");
  if (!canInstall("python3", ["-m", "venv", "python"])) return skip();
  if (!canInstall(python, ["-m", "pip", "install", "--quiet", "openapi-python-client==0.29.1", "ruff"])) return skip();
  const page = readFileSync(join(repositoryRoot, "docs/client.md"), "utf8");
  writeFileSync(inFolder("config.yaml"), /^```yaml\n([\s\S]*?)^```$/m.exec(page)![1]!);
  const args = ["generate", "--path", document, "--output-path", "py", "--meta", "none", "--config", "config.yaml", "--fail-on-warning"];
  const path = `${inFolder("python/bin")}:${process.env.PATH}`;
  expect(run(inFolder("python/bin/openapi-python-client"), args, { PATH: path })).toMatchObject({ status: 0 });
  expect(run(python, ["-m", "compileall", "-q", "py"])).toEqual({ status: 0, output: "" });
});

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";

const run = promisify(execFile);

/**
 * The peers are no dependencies of Millrace: nothing of them is shipped, and only this case of the benchmark installs them, with fixed versions,
 * in a folder that git ignores. Restate's server is under the Business Source License; the others are under the MIT License.
 */
const packages: Readonly<Record<string, string>> = {
  "@restatedev/restate-server": "1.7.12",
  "@restatedev/restate-sdk": "1.17.2",
  "@dbos-inc/dbos-sdk": "5.3.0",
  // Later versions need Node 22.
  "graphile-worker": "0.16.6",
  "@temporalio/client": "1.24.0",
  "@temporalio/worker": "1.24.0",
  "@temporalio/workflow": "1.24.0",
};

const temporalCli = "github.com/temporalio/cli/cmd/temporal@v1.5.1";

/** @returns the folder with `node_modules`, `bin` and the programs of this folder */
export async function installPeers(): Promise<string> {
  const folder = join(repositoryRoot, "dist/peers");
  mkdirSync(folder, { recursive: true });
  const manifest = `${JSON.stringify({ private: true, type: "module", dependencies: packages }, undefined, 2)}\n`;
  const file = join(folder, "package.json");
  const isInstalled = existsSync(join(folder, "node_modules")) && existsSync(file) && readFileSync(file, "utf8") === manifest;
  if (!isInstalled) {
    process.stderr.write("peers: installing them (500 MB) …\n");
    writeFileSync(file, manifest);
    await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: folder });
  }
  cpSync(join(repositoryRoot, "packages/server/bench/peers/programs"), folder, { recursive: true });
  return folder;
}

/**
 * Temporal's development server, which is built from source: this takes some minutes once.
 * @returns undefined if Go is not installed
 */
export async function installTemporal(folder: string): Promise<string | undefined> {
  const program = join(folder, "bin/temporal");
  if (existsSync(program)) return program;
  try {
    await run("go", ["version"]);
  } catch {
    return undefined;
  }
  process.stderr.write("peers: building Temporal's server …\n");
  await run("go", ["install", temporalCli], { env: { ...process.env, GOBIN: join(folder, "bin") }, maxBuffer: 2 ** 24 });
  return program;
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/**
 * A miniature checkout: the real scripts, a program of a few lines, and a single package in place of all others, which npm installs from a
 * file without any network: an esbuild that refers to the real one.
 */
export function makeCheckout(options: { main?: string; registry?: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-checkout-"));
  cpSync(join(repositoryRoot, "scripts"), join(folder, "scripts"), { recursive: true });
  mkdirSync(join(folder, "packages/server/src"), { recursive: true });
  writeFileSync(join(folder, "packages/server/package.json"), "{}");
  writeFileSync(join(folder, "packages/server/src/main.ts"), options.main ?? patientMain);
  writeFileSync(join(folder, "packages/server/src/heartbeat-thread.ts"), "");
  mkdirSync(join(folder, "packages/server/catalog"));
  writeFileSync(join(folder, "packages/server/catalog/build-programs.mjs"), "export async function buildPrograms() {}");
  writeFileSync(join(folder, "scripts/build-web.mjs"), "export async function buildWeb() {}");
  const slim = join(repositoryRoot, "scripts/slim-bundle.mjs");
  writeFileSync(join(folder, "scripts/slim-bundle.mjs"), `export { slim } from ${JSON.stringify(slim)};`);
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const dependencies = { esbuild: options.registry ? "1.0.0" : "file:esbuild.tgz" };
  const manifest = { name: "checkout", version: "1.0.0", private: true, type: "module", scripts, devDependencies: dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const integrity = packEsbuild(folder);
  const resolved = options.registry ? `${options.registry}/esbuild.tgz` : "file:esbuild.tgz";
  const lock = {
    name: "checkout",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "checkout", version: "1.0.0", devDependencies: dependencies },
      "node_modules/esbuild": { version: "1.0.0", resolved, integrity, dev: true },
    },
  };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  return folder;
}

/** Prints that it is ready, ends on request, and prints that it has. */
const patientMain = `
export async function main(args: readonly string[]): Promise<void> {
  const stop = new Promise<void>((resolve) => {
    let count = 0;
    const onSignal = () => { if (count++ === 0) setTimeout(resolve, 50); };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
  const keep = setInterval(() => {}, 1000);
  console.log("ready", process.pid, ...args);
  await stop;
  clearInterval(keep);
  console.log("drained");
}`;

function packEsbuild(folder: string): string {
  const source = join(folder, "esbuild-package/package");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "package.json"), JSON.stringify({ name: "esbuild", version: "1.0.0", type: "module", exports: "./index.js" }));
  const real = JSON.stringify(join(repositoryRoot, "node_modules/esbuild/lib/main.js"));
  // npm's cache is keyed by content: two checkouts of the same second would share an entry, and the registry would not be contacted.
  writeFileSync(join(source, "index.js"), `// ${folder}\nimport real from ${real};\nexport const build = real.build;\n`);
  execFileSync("tar", ["-czf", join(folder, "esbuild.tgz"), "-C", join(folder, "esbuild-package"), "package"]);
  return `sha512-${createHash("sha512")
    .update(readFileSync(join(folder, "esbuild.tgz")))
    .digest("base64")}`;
}

export interface Started {
  child: ChildProcess;
  /** All lines so far, of both streams. */
  lines: string[];
  /** Resolves with the first line that contains this text; rejects if the command ends without it. */
  until(text: string): Promise<string>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Runs a command of the checkout in a process group of its own, as a terminal would. */
export function run(folder: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const [program = "", ...args] = command;
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|MILLRACE_|NODE_ENV|VITEST)/i.test(name)));
  const child = spawn(program, args, { cwd: folder, env: { ...clean, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      lines.push(line);
      for (const watcher of watchers) watcher();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((line) => line.includes(text));
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
      void ended.then(() => setImmediate(() => reject(new Error(`ended without "${text}":\n${lines.join("\n")}`))));
    });
  return { child, lines, until, ended };
}

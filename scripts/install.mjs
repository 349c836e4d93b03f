// Installs the packages of the lockfile if they are missing. Only Node's own modules are used here, because nothing else may be installed
// yet.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "./lock.mjs";

export const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const stampFile = join(root, "node_modules/.millrace-lock-hash");
const leastNode = [20, 19];

/** A sentence for the person at the terminal instead of a stack. */
export class Remedy extends Error {}

/** @throws {Remedy} when this Node is too old */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return;
  throw new Remedy(
    `Millrace needs Node ${leastNode.join(".")} or newer, this is ${process.versions.node}: install one from https://nodejs.org`,
  );
}

/**
 * Makes sure that exactly the lockfile's packages are installed, including those for development, since the service is built at its start.
 * @param {{say?: (line: string) => void, signal?: AbortSignal}} [options] the signal ends the installation; the next start repeats it
 * @throws {Remedy}
 */
export async function ensureInstalled({ say = console.error, signal } = {}) {
  checkNode();
  if (isInstalled()) return;
  refuseReadOnly();
  const onWait = () => say("millrace: another command is installing the packages; waiting for it …");
  const lock = await takeLock(join(root, ".install-lock"), { onWait, signal });
  try {
    if (!isInstalled()) await install({ say, signal, lock });
  } finally {
    lock.free();
  }
}

function readLockfile() {
  return readFileSync(join(root, "package-lock.json"), "utf8");
}

function hashOf(text) {
  return createHash("sha256").update(`${process.platform} ${process.arch}\n${text}`).digest("hex");
}

/** The stamp says that an installation of this lockfile was completed; without it (npm was run manually) npm's own record does. */
function isInstalled() {
  const text = readLockfile();
  const { packages } = JSON.parse(text);
  const isStamped = readOrEmpty(stampFile) === hashOf(text);
  const installed = isStamped ? packages : readRecord();
  return Object.entries(packages).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") || entry.link || !isForThisPlatform(entry)) return true;
    const isThere = installed[path]?.version === entry.version && existsSync(join(root, path, "package.json"));
    return isThere || (entry.optional === true && (isStamped || !isOnlyForSome(entry)));
  });
}

/** npm leaves out optional packages for other platforms, and those that it could not download; only the first case is detected here. */
function isOnlyForSome({ os, cpu }) {
  return os !== undefined || cpu !== undefined;
}

function readRecord() {
  const text = readOrEmpty(join(root, "node_modules/.package-lock.json"));
  return text === "" ? {} : JSON.parse(text).packages;
}

function isForThisPlatform({ os, cpu, libc }) {
  const matches = (list, value) => !list || list.includes(value);
  return matches(os, process.platform) && matches(cpu, process.arch) && matches(libc, currentLibc());
}

let libc;

/** Requested once, and without the network: otherwise the report resolves the host names of all connections. */
function currentLibc() {
  if (process.platform !== "linux") return undefined;
  process.report.excludeNetwork = true;
  libc ??= process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  return libc;
}

function readOrEmpty(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function refuseReadOnly() {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new Remedy(
      `The packages are missing, and ${root} cannot be written to: run this once as its owner, or copy it to a folder of your own`,
    );
  }
}

async function install({ say, signal, lock }) {
  say("millrace: installing packages, about 300 MB on disk; this happens once …");
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const progress = setInterval(() => say(`millrace: … still installing (${seconds()} s)`), 10_000);
  try {
    rmSync(stampFile, { force: true });
    await runNpm({ signal, lock });
    writeFileSync(stampFile, hashOf(readLockfile()));
  } finally {
    clearInterval(progress);
  }
  say(`millrace: packages installed in ${seconds()} s`);
}

function runNpm({ signal, lock }) {
  const [command, ...args] = npmCommand();
  const options = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--ignore-scripts", ...cacheOption()];
  // A separate process group: Ctrl-C reaches this process, which ends npm with everything that it started.
  const child = spawn(command, [...args, ...options], {
    cwd: root,
    env: cleanEnvironment(),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) lock.addOwner(child.pid);
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const stop = () => endGroup(child);
  signal?.addEventListener("abort", stop, { once: true });
  return new Promise((done, fail) => {
    child.on("error", (error) =>
      fail(error.code === "ENOENT" ? new Remedy("npm was not found: install it beside Node, it comes with https://nodejs.org") : error),
    );
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      if (signal?.aborted) fail(signal.reason);
      else if (code === 0) done();
      else fail(new Remedy(`${lastLines(output)}\nmillrace: the packages could not be installed: ${remedyFor(output)}`));
    });
  });
}

function endGroup(child) {
  const send = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended already.
    }
  };
  send("SIGTERM");
  setTimeout(() => send("SIGKILL"), 1_000).unref();
}

/** The npm that runs this program, or the one on the path. */
function npmCommand() {
  const cli = process.env.npm_execpath ?? "";
  return /npm-cli\.[cm]?js$/.test(cli) ? [process.execPath, cli] : ["npm"];
}

/**
 * The variables that npm sets for its scripts would affect the inner npm (its log level, what it omits, its folder); a registry or a proxy
 * is passed on.
 */
function cleanEnvironment() {
  const kept =
    /^npm_config_(registry|.*proxy|.*:_?auth.*|_auth.*|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|cache|fetch_.*|maxsockets|@.*)$/i;
  const entries = Object.entries(process.env).filter(([name]) => name !== "NODE_ENV" && (!/^npm_/i.test(name) || kept.test(name)));
  return Object.fromEntries(entries);
}

/** A home that is missing or belongs to another user can't contain the cache. */
function cacheOption() {
  const given = process.env.npm_config_cache ?? process.env.NPM_CONFIG_CACHE;
  const usual = given ?? join(homedir(), ".npm");
  const nearest = existsSync(usual) ? usual : resolve(usual, "..");
  try {
    accessSync(nearest, constants.W_OK);
    return [];
  } catch {
    return [`--cache=${resolve(root, process.env.MILLRACE_DATA_DIR || ".millrace", "npm-cache")}`];
  }
}

function lastLines(output) {
  const lines = output.split("\n").filter((line) => /^npm (error|ERR!)/i.test(line));
  return lines.slice(0, 12).join("\n");
}

function remedyFor(output) {
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|ERR_SOCKET/.test(output))
    return "the registry cannot be reached; check the network or the proxy settings, then try again";
  if (/EACCES|EPERM|EROFS/.test(output))
    return `something under ${root} belongs to another user; give it to the one who starts Millrace, then try again`;
  if (/ENOSPC/.test(output)) return "the disk is full; free about 500 MB, then try again";
  if (/EUSAGE/.test(output)) return "package.json and package-lock.json do not fit; take both from the same version";
  return "see the lines above";
}

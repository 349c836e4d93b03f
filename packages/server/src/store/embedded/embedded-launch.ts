import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { systemPath } from "../../base/process/system-path.ts";
import { type Binaries, explainBrokenBinaries, parseMajor, runProbe } from "./embedded-binaries.ts";
import { type Identity, possibleIdentities } from "./embedded-identity.ts";
import { makeRuntimeFolders, noRuntimeFolder } from "./embedded-runtime-folder.ts";
import { localeArguments } from "./embedded-settings.ts";

/**
 * How the server process is started.
 *
 * Guarded (Linux): `flock` takes the lock of the data folder and becomes the next command without a fork; the user changes; `setpriv` asks
 * the kernel to send SIGINT, PostgreSQL's fast shutdown, when our process dies; a shell creates the database files if there are none and
 * becomes `postgres`. Every process of the server inherits the open lock, so a free lock proves that none is left, and only then stale
 * files are removed. The shell first compares its parent with us, in case we died before the kernel was asked.
 *
 * Watched (if flock or setpriv are missing): the lock is a file of ours, and the shell stays as the parent of `postgres` and reads from a
 * pipe that closes when we die.
 *
 * Both run in a session of their own, so that Ctrl-C reaches us first.
 */
export interface Launch {
  kind: "guarded" | "watched";
  identity: Identity;
  major: number;
  runtimeFolder: string;
  env: NodeJS.ProcessEnv;
}

export const exitCodes = { locked: 75, initdbFailed: 77 } as const;

/** The files of a data folder's database. Ours are outside of `cluster`, so that the database's user can't replace them. */
export function clusterFiles(folder: string) {
  return {
    folder,
    cluster: join(folder, "cluster"),
    data: join(folder, "cluster/data"),
    libraries: join(folder, "lib"),
    lock: join(folder, "lock"),
    owner: join(folder, "owner"),
    socketRecord: join(folder, "socket"),
    log: join(folder, "server.log"),
  };
}

export type ClusterFiles = ReturnType<typeof clusterFiles>;

/** Tries every identity with every runtime folder until the exact chain runs `postgres --version`. */
export function chooseLaunch(files: ClusterFiles, binaries: Binaries, searchPath: string = systemPath): Launch {
  const env = serverEnvironment(binaries, searchPath);
  let problem = "";
  let hasFolder = false;
  for (const runtimeFolder of makeRuntimeFolders(files.folder)) {
    hasFolder = true;
    for (const identity of possibleIdentities(files.cluster)) {
      own(runtimeFolder, identity);
      own(files.cluster, identity);
      for (const kind of ["guarded", "watched"] as const) {
        const probe = probeLaunch(kind, identity, { files, binaries, runtimeFolder, env });
        const major = probe && parseMajor(probe.output);
        if (major !== undefined) return { kind, identity, major, runtimeFolder, env };
        problem = probe?.problem || problem;
      }
    }
    rmSync(runtimeFolder, { recursive: true, force: true });
  }
  throw hasFolder ? explainBrokenBinaries(binaries, problem) : noRuntimeFolder();
}

/** As root the database's user must be able to pass through to its files, but not to list folders on the way. */
export function makeFolders(files: ClusterFiles): void {
  mkdirSync(files.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  mkdirSync(files.cluster, { recursive: true, mode: 0o700 });
}

interface ProbeContext {
  files: ClusterFiles;
  binaries: Binaries;
  runtimeFolder: string;
  env: NodeJS.ProcessEnv;
}

const probeScript = '[ -w "$1" ] && [ -w "$2" ] || { echo "$1 or $2 is not accessible" >&2; exit 1; }; exec "$3" --version';

function probeLaunch(kind: Launch["kind"], identity: Identity, { files, binaries, runtimeFolder, env }: ProbeContext) {
  const script = ["sh", "-c", probeScript, "sh", files.cluster, runtimeFolder, binaries.postgres];
  if (kind === "guarded") return runProbe([...guard(["--timeout", "10", `${files.lock}.probe`], identity), ...script], { env });
  if (!identity.isPlain) return undefined;
  return runProbe(script, { env, ...userOf(identity) });
}

/** Gives a folder with its content to the database's user; only root can, and only root needs to. */
function own(folder: string, user: { uid: number; gid: number }): void {
  if (process.getuid?.() !== 0) return;
  if (lstatSync(folder).uid !== user.uid) changeOwner(folder, user);
  chmodSync(folder, 0o700);
}

/** The folder is given to root first: even root may lack the capability to read another user's. */
function changeOwner(folder: string, user: { uid: number; gid: number }): void {
  chownSync(folder, 0, 0);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) changeOwner(path, user);
    else lchownSync(path, user.uid, user.gid);
  }
  chownSync(folder, user.uid, user.gid);
}

function guard(lockOptions: readonly string[], identity: Identity): string[] {
  return ["flock", "--no-fork", ...lockOptions, ...identity.prefix, "setpriv", "--pdeathsig", "INT"];
}

function userOf(identity: Identity): { uid?: number; gid?: number } {
  return identity.prefix.length > 0 ? { uid: identity.uid, gid: identity.gid } : {};
}

const makeCluster = `
cd "$2" || exit 78
if [ ! -f data/PG_VERSION ]; then
  rm -rf data.new
  "$3" --pgdata=data.new --username=postgres --auth=trust --encoding=UTF8 --no-instructions "$4" "$5" $6 || exit ${exitCodes.initdbFailed}
  mv data.new data || exit ${exitCodes.initdbFailed}
fi`;

const guardedScript = `[ "$PPID" = "$1" ] || exit 76
${makeCluster}
rm -f data/postmaster.pid
shift 6
exec "$@"`;

// A background process of a shell ignores SIGINT until it sets its own handler, which postgres does.
const watchedScript = `${makeCluster}
shift 6
"$@" </dev/null &
server=$!
trap 'kill -INT $server' INT TERM
trap 'kill -QUIT $server' QUIT
{ cat >/dev/null; kill -INT $server; } <&3 2>/dev/null &
watcher=$!
while :; do
  wait $server; status=$?
  kill -0 $server 2>/dev/null || break
done
kill $watcher 2>/dev/null
exit $status`;

/** Starts the server; it is not ready yet when this returns. Its output is appended to the log file. */
export function spawnServer(launch: Launch, files: ClusterFiles, binaries: Binaries, settings: readonly string[]): ChildProcess {
  if (!isMainThread) throw new Error("the embedded server must be started from the main thread: the kernel ties its life to the thread");
  const guarded = launch.kind === "guarded";
  const script = guarded ? guardedScript : watchedScript;
  const lockOptions = ["--nonblock", "--conflict-exit-code", String(exitCodes.locked), files.lock];
  const locale = localeArguments(launch.major);
  const sync = settings.includes("fsync=off") ? "--no-sync" : "";
  const shell = ["sh", "-c", script, "sh", String(process.pid), files.cluster, binaries.initdb, ...locale, sync, binaries.postgres];
  const [program = "", ...args] = [...(guarded ? guard(lockOptions, launch.identity) : []), ...shell, "-D", files.data, ...settings];
  const log = openSync(files.log, "a", 0o600);
  try {
    return spawn(program, args, {
      env: launch.env,
      detached: true,
      stdio: ["ignore", log, log, guarded ? "ignore" : "pipe"],
      ...(guarded ? {} : userOf(launch.identity)),
    });
  } finally {
    closeSync(log);
  }
}

/** Nothing of our own environment: no secrets, no PG* variables, and no locale that the machine does not have. */
function serverEnvironment(binaries: Binaries, searchPath: string): NodeJS.ProcessEnv {
  return { PATH: searchPath, LC_ALL: "C", TZ: "UTC", ...(binaries.libraryPath ? { LD_LIBRARY_PATH: binaries.libraryPath } : {}) };
}

/**
 * Without flock only PostgreSQL's own file tells whether a server of a killed Millrace is still stopping. Waits for that one; a file that
 * names a process that is not a server is removed, because PostgreSQL itself would refuse to start.
 */
export async function waitForOrphan(files: ClusterFiles, deadline: number): Promise<void> {
  const pidFile = join(files.data, "postmaster.pid");
  while (existsSync(pidFile) && Date.now() < deadline) {
    if (!isServer(Number.parseInt(readFileSync(pidFile, "utf8"), 10))) return rmSync(pidFile, { force: true });
    await wait(50);
  }
}

function isServer(pid: number): boolean {
  const { succeeded, output } = runProbe(["ps", "-o", "stat=,comm=", "-p", String(pid)], { env: { PATH: systemPath } });
  // An ended process stays listed as Z until its parent reaps it.
  return succeeded && /postgres|postmaster/.test(output) && !/^\s*[ZX]/.test(output);
}

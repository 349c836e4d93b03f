import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/**
 * The service as it runs in most containers: a user without privileges, all addresses, no namespaces of its own, perhaps a user without a
 * name or hardly any shared memory. A user namespace that limits the number of further ones has the same effect as Docker's default
 * profile.
 */
const scratch: string[] = [];
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined && child.exitCode === null) kill(child.pid);
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** The process is the first one of its own PID namespace: when it ends, so do all others in it. */
function kill(pid: number): void {
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean))
    process.kill(Number(child), "SIGKILL");
}

const named = 1000;
const nameless = 47_110;
/** In a user namespace of its own with all IDs of this machine: limits that are set in it apply to what runs inside. */
const inside = `until [ -e "$1/mapped" ]; do sleep 0.05; done
mount -t proc proc /proc || exit 97
# Not in this shell: it was started before it had an id here, and so without rights.
sh -c "$2" || exit 98
exec setpriv --reuid="$3" --regid=0 --clear-groups --no-new-privs "$4" scripts/start.mjs`;

const noNamespaces = "echo 0 > /proc/sys/user/max_user_namespaces";
const littleSharedMemory = "mount -t tmpfs -o size=64k tmpfs /dev/shm";

function whyNot(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "root on Linux is needed";
  if (spawnSync("unshare", ["--user", "--mount", "--pid", "--fork", "true"]).status !== 0) return "this machine permits no user namespaces";
  const reads = spawnSync("setpriv", ["--reuid=1000", "--regid=0", "--clear-groups", "test", "-r", join(repositoryRoot, "package.json")]);
  return reads.status === 0 ? undefined : `a user without rights can't read ${repositoryRoot}`;
}
const reason = whyNot();
if (reason !== undefined) console.info(`skipped: ${reason}`);

beforeAll(async () => {
  if (reason !== undefined) return;
  // Builds the files that an unprivileged user could not write.
  const folder = mkdtempSync(join(tmpdir(), "builds-"));
  scratch.push(folder);
  await (await startService(folder)).stop();
}, 120_000);

/** The lines of its output up to the ready line, or all of them if it ends earlier. */
async function start(uid: number, limits: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "narrow-"));
  scratch.push(folder);
  chmodSync(folder, 0o755);
  const home = mkdtempSync(join(folder, "home-"));
  chownSync(home, uid, 0);
  const env = { PATH: process.env.PATH, HOME: home, MILLRACE_PORT: "0", MILLRACE_HOST: "0.0.0.0", MILLRACE_DATA_DIR: join(home, "data") };
  const program = ["bash", "-c", inside, "bash", folder, limits, String(uid), process.execPath];
  const child = spawn("unshare", ["--user", "--mount", "--pid", "--fork", ...program], {
    ...{ cwd: repositoryRoot, env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  await once(child, "spawn");
  await mapAll(child.pid as number);
  writeFileSync(join(folder, "mapped"), "");
  const lines: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => lines.push(...text.split("\n")));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith("millrace ready")) return lines;
  }
  if (child.exitCode === null) await once(child, "close");
  return lines;
}

/** Refused until the process is in its own namespace. */
async function mapAll(pid: number): Promise<void> {
  const own = spawnSync("readlink", ["/proc/self/ns/user"]).stdout.toString();
  await until(() => spawnSync("readlink", [`/proc/${pid}/ns/user`]).stdout.toString() !== own, "the process has its own namespace");
  for (const kind of ["uid_map", "gid_map"]) writeFileSync(`/proc/${pid}/${kind}`, "0 0 65536\n");
}

const limit = { timeout: 120_000 };

test.skipIf(reason !== undefined)("where no sandbox works, the start says so, with reason and remedy", limit, async () => {
  const text = (await start(named, noNamespaces)).join("\n");
  expect(text).toMatch(/executor process: off: .*Install bubblewrap/);
  expect(text).toMatch(/warning: no executor works \(process\).*MILLRACE_EXECUTORS/);
  expect(text, "an address that can be opened").toMatch(/millrace ready on http:\/\/127\.0\.0\.1:\d+ \(degraded: no executor works/);
});

test.skipIf(reason !== undefined)(
  "a user without a name starts with the embedded database where namespaces are permitted",
  limit,
  async () => {
    expect((await start(nameless, ":")).join("\n")).toMatch(
      // The status is degraded where nothing isolates a step: without bubblewrap, or if it is only partly installed.
      /as nobody in a user namespace[\s\S]*millrace ready on http:\/\/127\.0\.0\.1:\d+( \(degraded: no executor works.*)?$/,
    );
  },
);

test.skipIf(reason !== undefined)("a user without a name gets the remedy where namespaces are not permitted", limit, async () => {
  expect((await start(nameless, noNamespaces)).join("\n")).toMatch(/effective user ID 47110.*etc\/passwd.*DATABASE_URL/);
});

test.skipIf(reason !== undefined)("too little shared memory is named with PostgreSQL's own line and the remedy", limit, async () => {
  expect((await start(named, littleSharedMemory)).join("\n")).toMatch(/could not resize shared memory segment.*No space left.*--shm-size/);
});

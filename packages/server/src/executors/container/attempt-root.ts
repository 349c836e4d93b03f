import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shortHash } from "../../base/text/short-hash.ts";
import { readStartTicks } from "../process/process-table.ts";
import { writeCallProfile } from "./call-profile.ts";

/**
 * The folder that all container executors of an installation share, below their scratch folder. It outlives them, so that another executor
 * can take over the work of one that was killed.
 *
 *     containers/instance      names the installation in the labels of its containers
 *     containers/owners        a file for each process, touched while the process lives
 *     containers/system-calls.json   the system calls that steps of Podman may use
 *     containers/attempts      a folder for each attempt; its file `owner` names the owner
 */
export interface AttemptRoot {
  folder: string;
  attempts: string;
  instance: string;
  owner: Owner;
}

export async function openAttemptRoot(scratchDir: string): Promise<AttemptRoot> {
  const folder = join(scratchDir, "containers");
  const attempts = join(folder, "attempts");
  const owners = join(folder, "owners");
  await mkdir(scratchDir, { recursive: true });
  for (const path of [folder, attempts, owners]) await mkdir(path, { recursive: true });
  // Steps may pass through, each to its own folder, but not list what is here. The umask of the process must not change that.
  await Promise.all([folder, attempts].map((path) => chmod(path, 0o711)));
  await chmod(owners, 0o700);
  await writeCallProfile(folder);
  return { folder, attempts, instance: await readInstance(join(folder, "instance")), owner: await openOwner(owners) };
}

/** If two processes start at the same time, both use the first one that was written. */
async function readInstance(file: string): Promise<string> {
  const draft = `${file}-${randomBytes(4).toString("hex")}`;
  await writeFile(draft, randomBytes(12).toString("hex"));
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(file, "utf8");
}

/** The process that takes care of a container. */
interface Owner {
  name: string;
  /** Whether the process with that name is still alive. */
  isAlive(name: string): Promise<boolean>;
  close(): Promise<void>;
}

const beatMs = 10_000;
const silentAfterMs = 60_000;

/**
 * Identifies this process, and checks whether others are alive. On the same machine, the process table shows that. A service in a container
 * sees only its own processes, and after a restart its machine looks like a different one: there, the age of a file that each owner touches
 * decides.
 *
 * @param folder shared by all owners of an installation
 */
async function openOwner(folder: string): Promise<Owner> {
  const machine = await machineName();
  const name = `${machine}-${process.pid}-${await readStartTicks(process.pid)}-${randomBytes(4).toString("hex")}`;
  const file = join(folder, name);
  await writeFile(file, "", { mode: 0o600 });
  const beat = setInterval(() => void touch(file), beatMs);
  beat.unref();
  return {
    name,
    async isAlive(other) {
      if (other === name) return true;
      const [, where = "", pid = "", ticks = ""] = /^(\w+)-(\d+)-(\d+)-\w+$/.exec(other) ?? [];
      if (where === machine) return (await readStartTicks(Number(pid))) === Number(ticks);
      const mtimeMs = await touchedAt(join(folder, other));
      return Date.now() - mtimeMs < silentAfterMs;
    },
    async close() {
      clearInterval(beat);
      await rm(file, { force: true });
    },
  };
}

/** A boot of a machine and its process namespace: process ids from different ones can't be compared. */
async function machineName(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const space = await readlink("/proc/self/ns/pid").catch(() => "");
  return shortHash([boot.trim(), space]).slice(0, 12);
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

async function touchedAt(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}

import { execFile } from "node:child_process";
import { chmod, mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** A separate disk that a test can fill and make read-only: a file system in memory. */
export interface SmallDisk {
  folder: string;
  /** Uses up all bytes. */
  fill(): Promise<void>;
  /** Uses up all inodes, so that no further file can be created. */
  fillNames(): Promise<void>;
  clear(): Promise<void>;
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

/** The disk is removed after the test. @returns the reason if this machine can't have one */
export async function openSmallDisk(bytes = 24 << 20, files = 4_000): Promise<SmallDisk | { why: string }> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${bytes},nr_inodes=${files},mode=711`, "none", folder]);
  } catch (error) {
    await rmdir(folder);
    return { why: `no file system can be mounted here: ${(error as Error).message}` };
  }
  onTestFinished(async () => {
    await run("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });
  await chmod(folder, 0o711);
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => writeUntilFull(filler),
    fillNames: () => makeUntilFull(filler),
    clear: () => rm(filler, { recursive: true, force: true }),
    setReadOnly: async (isReadOnly) => void (await run("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder])),
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, "w");
  for (const size of [1 << 20, 4096]) {
    const chunk = Buffer.alloc(size, 1);
    while (
      await file.write(chunk).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      )
    );
  }
  await file.close();
}

async function makeUntilFull(folder: string): Promise<void> {
  await run("mkdir", [folder]);
  await run("sh", ["-c", `i=0; while : > ${folder}/$i; do i=$((i+1)); done`]).catch(() => undefined);
}

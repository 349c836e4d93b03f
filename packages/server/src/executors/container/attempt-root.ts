import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Owner, openOwner } from "./owner.ts";

/**
 * The folder that all container executors of an installation share, below their scratch folder. It outlives them, so that the work of one
 * that was killed can be taken up by another.
 *
 *     containers/instance      names the installation in the labels of its containers
 *     containers/owners        a file of each process, touched while it lives
 *     containers/attempts      a folder of each attempt; its file `owner` says whose it is
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
  // Steps may pass, each to its own folder, but not look around; the process's umask must not decide that.
  await Promise.all([folder, attempts].map((path) => chmod(path, 0o711)));
  await chmod(owners, 0o700);
  return { folder, attempts, instance: await readInstance(join(folder, "instance")), owner: await openOwner(owners) };
}

/** Two processes that begin at once agree on the one that was first. */
async function readInstance(file: string): Promise<string> {
  const draft = `${file}-${randomBytes(4).toString("hex")}`;
  await writeFile(draft, randomBytes(12).toString("hex"));
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(file, "utf8");
}

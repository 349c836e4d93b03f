import { readFile } from "node:fs/promises";
import type { Identity } from "../folders/identity.ts";
import { runTool } from "../folders/run-tool.ts";

/**
 * Removes what a user has left in folders where everybody may write, and its queues and shared memory. It is done with that user's rights:
 * another step could put a link in the place of a folder meanwhile, and root would follow it.
 *
 * @param until a file: what was changed after it is left alone
 */
export async function removeSharedLeftovers(folders: readonly string[], identity: Identity, until: string): Promise<void> {
  const mine = ["-xdev", "-mindepth", "1", "-maxdepth", "1", "-user", String(identity.uid), "!", "-newer", until];
  // A folder can be closed to its own user. Names begin with the folder's path, so that none is taken for an option.
  const removal = ["-exec", "chmod", "-R", "u+rwX", "{}", "+", "-exec", "rm", "-rf", "{}", "+"];
  await Promise.all(folders.map((folder) => runTool("find", [folder, ...mine, ...removal], identity)));
  if (await hasQueues(identity.uid)) await runTool("ipcrm", ["--all"], identity);
}

async function hasQueues(uid: number): Promise<boolean> {
  const lists = ["shm", "sem", "msg"].map((name) => readFile(`/proc/sysvipc/${name}`, "latin1").catch(() => ""));
  return (await Promise.all(lists)).some((list) => list.split(/\s+/).includes(String(uid)));
}

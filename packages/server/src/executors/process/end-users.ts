import { runTool } from "../folders/run-tool.ts";
import { findTools } from "./isolation/tools.ts";
import { killUntilGone, surveyUser } from "./process-table.ts";

/**
 * Ends all that a user runs, also what starts its successor and ends before the table of processes says whose it is: such a chain could go
 * on forever. The kernel ends all processes of a user in one go (`kill -1`), and none of them can fork meanwhile. That takes a process of
 * that user, so it is done only where something may have been missed. Nobody else may begin as this user meanwhile.
 *
 * @returns whether none is left
 */
export async function endProcessesOfUser(uid: number): Promise<boolean> {
  let isSure = false;
  const find = async (): Promise<number[]> => {
    const found = await surveyUser(uid);
    isSure = found.isSure;
    return found.pids;
  };
  if ((await killUntilGone(find, fewRounds)) && isSure) return true;
  for (let tries = 0; tries < maxTries; tries++) if (await killAtOnce(uid)) return killUntilGone(find);
  return false;
}

/** Ends all that these users run. */
export async function endProcessesOfUsers(uids: readonly number[]): Promise<void> {
  await Promise.all(uids.map(endProcessesOfUser));
}

/** Of looks, before the kernel is asked. */
const fewRounds = 4;
/** What is to be ended can end the process that is to do so, if it comes first. */
const maxTries = 20;
/** Of a shell that has come so far: what keeps it from that has other ones. */
const isTold = 3;

/** @returns whether the kernel got the signal */
async function killAtOnce(uid: number): Promise<boolean> {
  // A user who may signal others would end them, too.
  if (!(uid > 0)) throw new Error(`the processes of the user ${uid} are not those of steps`);
  const { setpriv, sh } = findTools();
  const user = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  const { code } = await runTool(setpriv, [...user, "--", sh, "-c", `kill -s KILL -- -1; exit ${isTold}`]);
  return code === isTold;
}

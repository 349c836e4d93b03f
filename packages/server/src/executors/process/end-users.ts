import { runTool } from "../folders/run-tool.ts";
import { findTools } from "./isolation/tools.ts";
import { killUntilGone, surveyUser } from "./process-table.ts";

/**
 * Ends all processes of a user, including one that starts its successor and ends before the process table shows its user: such a chain
 * could otherwise continue forever. The kernel ends all processes of a user in one step (`kill -1`), and none of them can fork meanwhile.
 * That needs a process of that user, so it is done only if something may have been missed. Nothing else may be started as this user in the
 * meantime.
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

/** Ends all processes of these users. */
export async function endProcessesOfUsers(uids: readonly number[]): Promise<void> {
  await Promise.all(uids.map(endProcessesOfUser));
}

/** How often the process table is read before the kernel is asked. */
const fewRounds = 4;
/** The processes to be ended can end the process that is to do so, if they are faster. */
const maxTries = 20;
/** Exit code of a shell that has sent the signal; everything that can stop it before has another one. */
const signalledCode = 3;

/** @returns whether the kernel got the signal */
async function killAtOnce(uid: number): Promise<boolean> {
  // A user who may signal others would end their processes, too.
  if (!(uid > 0)) throw new Error(`the processes of the user ${uid} are not those of steps`);
  const { setpriv, sh } = findTools();
  const user = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  const { code } = await runTool(setpriv, [...user, "--", sh, "-c", `kill -s KILL -- -1; exit ${signalledCode}`]);
  return code === signalledCode;
}

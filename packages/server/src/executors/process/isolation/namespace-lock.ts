import type { Identity } from "../../folders/identity.ts";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import type { Tools } from "./tools.ts";

/**
 * Keeps a step from making user namespaces. In one of its own it would have all rights, and could mount a file system in memory
 * that no look at the attempt counts. Which number of them a user may have is a setting of each user namespace: so the step gets
 * one, with its own user as the only one in it, in which that number is zero.
 */
export interface NamespaceLock {
  /** What goes between the loss of all other rights and the program. */
  command(identity: Identity): string[];
  /** For people. */
  detail: string;
}

const script = shellProgram("lock-namespaces");

/** @param drop what the command follows @param identity of the trial */
export async function findNamespaceLock(tools: Tools, drop: readonly string[], identity: Identity): Promise<NamespaceLock> {
  const works = async (command: readonly string[]): Promise<boolean> => {
    const [file = "", ...args] = [...drop, ...command, "/bin/true"];
    return (await runTool(file, args)).code === 0;
  };
  const command = (of: Identity): string[] => lockCommand(tools, of);
  if (await works(command(identity))) return { command, detail: "steps can't create user namespaces" };
  // What the service can't do for a step, the step can't do either, but for one thing: /proc/sys may be read-only.
  const isOpen = await works([tools.unshare, "--user", "--"]);
  const detail = isOpen ? "steps can create user namespaces" : "steps can't create user namespaces";
  return { command: () => [], detail };
}

function lockCommand({ unshare, sh, setpriv }: Tools, { uid, gid }: Identity): string[] {
  // The number is for programs with rights in the namespace; they are given up right after it.
  const namespace = [unshare, "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--keep-caps", "--", sh, "-c", script, "lock"];
  return [...namespace, setpriv, "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--pdeathsig=KILL", "--"];
}

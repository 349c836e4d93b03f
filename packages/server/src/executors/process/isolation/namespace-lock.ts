import type { Identity } from "../../folders/identity.ts";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import type { Tools } from "./tools.ts";

/**
 * Prevents a step from creating user namespaces. In one of its own it would have all rights, and could mount a file system in memory that
 * is not measured. The number of namespaces that a user may create is a setting of each user namespace: so the step runs in one where only
 * its own user exists, and where that number is zero.
 */
export interface NamespaceLock {
  /** Goes between dropping all other rights and the program. */
  command(identity: Identity): string[];
  /** For people. */
  detail: string;
}

const script = shellProgram("lock-namespaces");

/** @param drop the command to which this one is appended @param identity for the test */
export async function findNamespaceLock(tools: Tools, drop: readonly string[], identity: Identity): Promise<NamespaceLock> {
  const works = async (command: readonly string[]): Promise<boolean> => {
    const [file = "", ...args] = [...drop, ...command, "/bin/true"];
    return (await runTool(file, args)).code === 0;
  };
  const command = (of: Identity): string[] => lockCommand(tools, of);
  if (await works(command(identity))) return { command, detail: "steps can't create user namespaces" };
  // If the service can't do this for a step, the step can't either, with one exception: /proc/sys may be read-only.
  const isOpen = await works([tools.unshare, "--user", "--"]);
  const detail = isOpen ? "steps can create user namespaces" : "steps can't create user namespaces";
  return { command: () => [], detail };
}

function lockCommand({ unshare, sh, setpriv }: Tools, { uid, gid }: Identity): string[] {
  // Setting the number needs rights in the namespace; they are dropped right after it.
  const namespace = [unshare, "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--keep-caps", "--", sh, "-c", script, "lock"];
  return [...namespace, setpriv, "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--pdeathsig=KILL", "--"];
}

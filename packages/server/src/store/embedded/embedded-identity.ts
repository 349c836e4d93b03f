import { existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";

/**
 * PostgreSQL refuses to run as root, so a root process has to change its user first. An identity is one way to do that. It is accepted only
 * after the exact chain of commands ran with it (see embedded-launch.ts); the first that works is used.
 */
export interface Identity {
  name: string;
  /** Commands in front of the server's that change the user; empty if the process keeps its user. */
  prefix: readonly string[];
  /** The owner of the database's files, as seen from outside. */
  uid: number;
  gid: number;
  /** Whether `uid` and `gid` alone describe it, so that a plain spawn works without the prefix. */
  isPlain: boolean;
}

/** @param cluster the folder of the database's files, which may not exist yet */
export function possibleIdentities(cluster: string): Identity[] {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) {
    const self: Identity = { name: "this user", prefix: [], uid, gid: process.getgid?.() ?? -1, isPlain: true };
    // initdb refuses a user without a name, which OpenShift assigns; in a user namespace the user has one, if these are permitted.
    return hasName() ? [self] : [{ ...userNamespace(findNobody()), name: "nobody in a user namespace", uid, gid: self.gid }, self];
  }
  const nobody = findNobody();
  const owner = ownerOf(cluster);
  const earlier = owner && owner.uid !== 0 && owner.uid !== nobody.uid ? [switchUser("owner of the data", owner)] : [];
  return [...earlier, switchUser("nobody", nobody), overrideAccess(nobody), userNamespace(nobody)];
}

interface User {
  uid: number;
  gid: number;
}

function switchUser(name: string, { uid, gid }: User): Identity {
  return { name, prefix: ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"], uid, gid, isPlain: true };
}

/** For a data folder below a folder that only root may enter, such as /root: one capability instead of none. */
function overrideAccess({ uid, gid }: User): Identity {
  const only = "-all,+dac_override";
  const capabilities = [`--inh-caps=${only}`, `--ambient-caps=${only}`];
  const prefix = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...capabilities];
  return { name: "nobody with DAC_OVERRIDE", prefix, uid, gid, isPlain: false };
}

/** The last resort: root that only looks like nobody. A superuser of the database would then be root, so the application isn't one. */
function userNamespace({ uid, gid }: User): Identity {
  const prefix = ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`];
  return { name: "root in a user namespace", prefix, uid: 0, gid: 0, isPlain: false };
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** initdb needs a name for its user; `nobody` exists everywhere, with varying numbers. */
function findNobody(): User {
  const line = existsSync("/etc/passwd") ? /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) : null;
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65534, gid: 65534 };
}

function ownerOf(path: string): User | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

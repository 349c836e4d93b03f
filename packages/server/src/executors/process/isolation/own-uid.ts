import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemPath } from "../../../base/process/system-path.ts";
import type { Attempt } from "../../folders/attempt-folder.ts";
import type { Identity } from "../../folders/identity.ts";
import { runTool } from "../../folders/run-tool.ts";
import type { UidFilter } from "../../networks/uid-filter.ts";
import type { View } from "../../steps/view.ts";
import { endProcessesOfUser } from "../end-users.ts";
import { joinCommand } from "./launcher.ts";
import type { AttemptUser, Level } from "./level.ts";
import type { NamespaceLock } from "./namespace-lock.ts";
import { describeSeclusion, ownFolders, type Seclusion, seclude, sharedFolders } from "./seclusion.ts";
import type { Tools } from "./tools.ts";

/** Drops everything except one user id, permanently; the end of the service ends the process. */
export function dropTo({ setpriv }: Tools, { uid, gid }: Identity): string[] {
  return [
    setpriv,
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--pdeathsig=KILL",
    "--",
  ];
}

export interface PlainFiles {
  bin: string;
  programsDir: string | undefined;
  tools: Tools;
}

interface OwnUidParts {
  lock: NamespaceLock | undefined;
  filter: UidFilter | undefined;
  seclusion: Seclusion;
  scratchFolder: string;
}

/** The view of a step that sees the machine's own files. */
function plainView(attempt: Attempt, bin: string, programsDir: string | undefined): View {
  const writable = (part: string): string => `${attempt.writable}/${part}`;
  return {
    work: writable("work"),
    results: writable("results"),
    home: writable("home"),
    temp: writable("tmp"),
    params: `${attempt.fixed}/params`,
    steps: `${attempt.fixed}/steps`,
    node: `${bin}/node`,
    programs: programsDir,
    path: `${systemPath}:${bin}`,
    workspace: (workspace) => workspace.source,
  };
}

/** A user id for each attempt: files are only protected by their modes. Only for a service that runs as root. */
export function createOwnUid(files: PlainFiles, { filter, seclusion, scratchFolder, lock }: OwnUidParts): Level {
  const { tools, bin, programsDir } = files;
  const seen = [scratchFolder, bin, ...(programsDir === undefined ? [] : [programsDir])];
  /** Folders that an attempt shared with others. */
  const shared = new WeakMap<Attempt, readonly string[]>();
  const held = filter && holdClosed(filter);
  return {
    name: "own-uid",
    hasOwnProcesses: false,
    hasOwnNetwork: false,
    hasOwnFiles: false,
    filtersCalls: false,
    shownFolders: [],
    launcherDepth: 1,
    ...(held && { filter: held }),
    detail:
      `own user ID without privileges; files that everyone can read ${filter ? "" : "and the network of the machine "}are visible; ` +
      `${describeSeclusion(seclusion, seen)}; ${lock ? `${lock.detail}; ` : ""}system calls are not filtered, which needs bubblewrap`,
    view: (attempt) => plainView(attempt, bin, programsDir),
    launch: ({ attempt, argv, joinFiles, workspaceSources }) => {
      if (attempt.identity === undefined) throw new Error("own-uid needs a service that runs as root");
      const folders = ownFolders(seclusion, [...seen, ...workspaceSources]);
      shared.set(
        attempt,
        sharedFolders.filter((folder) => !folders.includes(folder)),
      );
      const own = { temp: join(attempt.writable, "tmp"), folders };
      const secluded = seclude(tools, seclusion, own, [
        ...dropTo(tools, attempt.identity),
        ...(lock?.command(attempt.identity) ?? []),
        ...argv,
      ]);
      const [file = "", ...args] = joinCommand(tools.sh, joinFiles, secluded);
      return { file, args };
    },
    async cleanUp(attempt, user) {
      const folders = shared.get(attempt) ?? [];
      if (attempt.identity === undefined) return;
      if (await endProcesses(attempt.identity, user)) await held?.releaseUser(attempt.identity);
      if (folders.length === 0) return;
      const now = join(attempt.folder, "over");
      await writeFile(now, "", { mode: 0o644 });
      await removeSharedLeftovers(folders, attempt.identity, now);
    },
  };
}

/**
 * Removes what a user has left in folders that everyone may write to, and its queues and shared memory. This is done with that user's
 * rights: another step could replace a folder with a link in the meantime, and root would follow it.
 *
 * @param until a file: what was changed after it is left alone
 */
async function removeSharedLeftovers(folders: readonly string[], identity: Identity, until: string): Promise<void> {
  const mine = ["-xdev", "-mindepth", "1", "-maxdepth", "1", "-user", String(identity.uid), "!", "-newer", until];
  // A folder may be closed to its own user. All names start with the folder's path, so that none is taken for an option.
  const removal = ["-exec", "chmod", "-R", "u+rwX", "{}", "+", "-exec", "rm", "-rf", "{}", "+"];
  await Promise.all(folders.map((folder) => runTool("find", [folder, ...mine, ...removal], identity)));
  if (await hasQueues(identity.uid)) await runTool("ipcrm", ["--all"], identity);
}

async function hasQueues(uid: number): Promise<boolean> {
  const lists = ["shm", "sem", "msg"].map((name) => readFile(`/proc/sysvipc/${name}`, "latin1").catch(() => ""));
  return (await Promise.all(lists)).some((list) => list.split(/\s+/).includes(String(uid)));
}

/**
 * For a user that several attempts share: a step can hide a process from its own attempt, with an empty environment and a new session.
 * @returns whether none is left, and no attempt of that user was running
 */
async function endProcesses({ uid }: Identity, user: AttemptUser): Promise<boolean> {
  return (await user.alone(() => endProcessesOfUser(uid))) === true && !user.isBusy();
}

interface HeldFilter extends UidFilter {
  /** Carries out what was released in the meantime: no process of that user is left. */
  releaseUser(identity: Identity): Promise<void>;
}

/** Blocks the network of a user until its last process has ended, which is later than the end of the attempt. */
function holdClosed(filter: UidFilter): HeldFilter {
  const held = new Map<number, number>();
  /** Users that may have a process. One of their steps may have a socket of a user that has no process any more. */
  const living = new Set<number>();
  return {
    ...filter,
    close(identity, port) {
      living.add(identity.uid);
      return filter.close(identity, port);
    },
    open(identity) {
      living.add(identity.uid);
      return filter.open(identity);
    },
    async release(identity, as, port) {
      if (as === "open") return filter.release(identity, as, port);
      held.set(identity.uid, (held.get(identity.uid) ?? 0) + 1);
      if (port !== undefined) await filter.closePort(identity, port);
    },
    async releaseUser(identity) {
      living.delete(identity.uid);
      await filter.retire(identity);
      const count = held.get(identity.uid) ?? 0;
      held.delete(identity.uid);
      for (let each = 0; each < count; each++) await filter.release(identity, "closed");
      await filter.forget(() => living.size === 0);
    },
  };
}

/** No sandbox: a step may do whatever the service may. */
export function createUnsandboxed(files: PlainFiles): Level {
  return {
    name: "none",
    hasOwnProcesses: false,
    hasOwnNetwork: false,
    hasOwnFiles: false,
    filtersCalls: false,
    shownFolders: [],
    launcherDepth: 1,
    detail: "no sandbox: a step can read and change everything that the service can",
    view: (attempt) => plainView(attempt, files.bin, files.programsDir),
    launch: ({ argv, joinFiles }) => {
      const [file = "", ...args] = joinCommand(files.tools.sh, joinFiles, argv);
      return { file, args };
    },
  };
}

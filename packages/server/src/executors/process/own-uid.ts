import type { Identity } from "../folders/identity.ts";
import type { UidFilter } from "../networks/uid-filter.ts";
import { joinCommand } from "./launcher.ts";
import type { Level } from "./level.ts";
import { plainView } from "./plain-view.ts";

/** Gives up everything but one user id, for good; the end of the service ends the process. */
export function dropTo({ uid, gid }: Identity): string[] {
  return [
    "setpriv",
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
}

/** A user id for each attempt and no namespaces: files are held back by their modes alone. Only for a service that runs as root. */
export function createOwnUid(files: PlainFiles, filter: UidFilter | undefined): Level {
  return {
    name: "own-uid",
    hasOwnProcesses: false,
    hasOwnNetwork: false,
    hasOwnFiles: false,
    launcherDepth: 1,
    ...(filter && { filter }),
    detail: `own user id without further rights; the files that everybody may read, the processes ${filter ? "" : "and the network "}of the machine are visible`,
    view: (attempt) => plainView(attempt, files.bin, files.programsDir),
    launch: ({ attempt, argv, joinFiles }) => {
      if (attempt.identity === undefined) throw new Error("own-uid needs a service that runs as root");
      const [file = "", ...args] = joinCommand(joinFiles, [...dropTo(attempt.identity), ...argv]);
      return { file, args, hasGate: false };
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
    launcherDepth: 1,
    detail: "no sandbox: a step may read and change whatever the service may",
    view: (attempt) => plainView(attempt, files.bin, files.programsDir),
    launch: ({ argv, joinFiles }) => {
      const [file = "", ...args] = joinCommand(joinFiles, argv);
      return { file, args, hasGate: false };
    },
  };
}

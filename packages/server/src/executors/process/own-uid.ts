import type { Identity } from "../folders/identity.ts";
import { joinCommand } from "./launcher.ts";
import type { Level } from "./level.ts";
import { plainView } from "./plain-view.ts";
import type { Tools } from "./tools.ts";

/** Gives up everything but one user id, for good; the end of the service ends the process. */
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

/** A user id for each attempt and no namespaces: files are held back by their modes alone. Only for a service that runs as root. */
export function createOwnUid(files: PlainFiles): Level {
  return {
    name: "own-uid",
    hasOwnProcesses: false,
    hasOwnNetwork: false,
    hasOwnFiles: false,
    shownFolders: [],
    launcherDepth: 1,
    detail:
      "own user id without further rights; the files that everybody may read, the processes and the network of the machine are visible; " +
      "system calls are not filtered, which takes bubblewrap",
    view: (attempt) => plainView(attempt, files.bin, files.programsDir),
    launch: ({ attempt, argv, joinFiles }) => {
      if (attempt.identity === undefined) throw new Error("own-uid needs a service that runs as root");
      const [file = "", ...args] = joinCommand(files.tools.sh, joinFiles, [...dropTo(files.tools, attempt.identity), ...argv]);
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
    shownFolders: [],
    launcherDepth: 1,
    detail: "no sandbox: a step may read and change whatever the service may",
    view: (attempt) => plainView(attempt, files.bin, files.programsDir),
    launch: ({ argv, joinFiles }) => {
      const [file = "", ...args] = joinCommand(files.tools.sh, joinFiles, argv);
      return { file, args, hasGate: false };
    },
  };
}

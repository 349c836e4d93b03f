import type { Attempt } from "../folders/attempt-folder.ts";
import { sandboxPlaces, sandboxView } from "../steps/sandbox-view.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";
import { dropTo } from "./own-uid.ts";
import type { LevelName } from "./settings.ts";
import type { SystemFiles } from "./system-files.ts";

/** What every level with a file system of its own shows of the machine. */
export interface SandboxFiles {
  system: SystemFiles;
  etc: string;
  nodeBinary: string;
  programsDir: string | undefined;
}

interface Variant {
  name: LevelName;
  /** Run by root, which mounts with its own rights and gives them up inside; without a user namespace. */
  asRoot: boolean;
  hasProc: boolean;
  hasOwnNetwork: boolean;
  detail: string;
}

export const bubblewrapVariants: readonly Variant[] = [
  {
    name: "bubblewrap",
    asRoot: false,
    hasProc: true,
    hasOwnNetwork: true,
    detail: "own files, processes, network and user by bubblewrap",
  },
  {
    name: "bubblewrap-as-root",
    asRoot: true,
    hasProc: true,
    hasOwnNetwork: true,
    detail: "own files, processes and network by bubblewrap, own user id, no user namespace",
  },
  {
    name: "bubblewrap-no-proc",
    asRoot: false,
    hasProc: false,
    hasOwnNetwork: true,
    detail: "own files, processes, network and user by bubblewrap; no /proc, as this machine allows none inside",
  },
  {
    name: "bubblewrap-shared-network",
    asRoot: false,
    hasProc: true,
    hasOwnNetwork: false,
    detail: "own files, processes and user by bubblewrap; every step shares the network of the machine",
  },
];

const sharedMemoryBytes = 67_108_864;

/** bubblewrap: a new root of read-only parts of the machine, and nothing of the service in it. */
export function createBubblewrap(variant: Variant, files: SandboxFiles): Level {
  const view = sandboxView(files.programsDir !== undefined);
  const fixedArgs = [...rootArgs(files), ...deviceArgs(variant)];
  return {
    name: variant.name,
    hasOwnProcesses: true,
    hasOwnNetwork: variant.hasOwnNetwork,
    hasOwnFiles: true,
    launcherDepth: variant.asRoot ? 3 : 2,
    detail: variant.detail,
    view: () => view,
    launch: (request) => launch(variant, fixedArgs, request),
  };
}

function launch(variant: Variant, fixedArgs: readonly string[], request: LaunchRequest): Launch {
  const hasGate = request.joinFiles.length > 0;
  const { identity } = request.attempt;
  const args = [
    ...fixedArgs,
    ...attemptArgs(request.attempt),
    ...dirArgs(request.workspaces.map(({ mountPath }) => mountPath)),
    ...request.workspaces.flatMap(({ source, mountPath, readOnly }) => [readOnly ? "--ro-bind" : "--bind", source, mountPath]),
    ...["--remount-ro", "/", "--chdir", "/"],
    ...namespaceArgs(variant, request.network !== "host"),
    ...(hasGate ? ["--info-fd", "3", "--block-fd", "4"] : []),
    "--",
    ...(variant.asRoot && identity ? [...firstProcess, ...dropTo(identity)] : []),
    ...request.argv,
  ];
  return { file: "bwrap", args, hasGate, ...(variant.asRoot ? {} : identity) };
}

/**
 * bubblewrap gives up its right to signal other users, so its death could not end a first process that has become one. The first process stays
 * root and waits; nobody inside may touch it.
 */
const firstProcess = ["/bin/sh", "-c", '"$@"; exit $?', "first"];

function rootArgs({ system, etc, nodeBinary, programsDir }: SandboxFiles): string[] {
  return [
    ...dirArgs([sandboxPlaces.nodePath, sandboxPlaces.fixedFolder, "/tekton/results", "/var/tmp", sandboxPlaces.programsFolder]),
    ...system.folders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...[...system.links, ...sandboxPlaces.links].flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--ro-bind", etc, "/etc"],
    ...(isShown(system, nodeBinary)
      ? ["--symlink", nodeBinary, sandboxPlaces.nodePath]
      : ["--ro-bind", nodeBinary, sandboxPlaces.nodePath]),
    ...(programsDir === undefined ? [] : ["--ro-bind", programsDir, sandboxPlaces.programsFolder]),
  ];
}

/** Left to itself bubblewrap makes the folders on the way for its own user alone. */
function dirArgs(paths: readonly string[]): string[] {
  const parents = paths.flatMap((path) => {
    const names = path.split("/").slice(1, -1);
    return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  });
  return [...new Set(parents)].flatMap((path) => ["--dir", path]);
}

/** Whether a path lies in a folder that the sandbox shows anyway. */
function isShown(system: SystemFiles, path: string): boolean {
  return system.folders.some((folder) => path.startsWith(`${folder}/`));
}

function deviceArgs({ hasProc }: Variant): string[] {
  const memory = ["--size", String(sharedMemoryBytes), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"];
  return ["--dev", "/dev", ...memory, ...(hasProc ? ["--proc", "/proc"] : ["--dir", "/proc"])];
}

function attemptArgs({ writable, fixed }: Attempt): string[] {
  return ["--bind", writable, sandboxPlaces.taskFolder, "--ro-bind", fixed, sandboxPlaces.fixedFolder];
}

function namespaceArgs({ asRoot, hasOwnNetwork }: Variant, wantsOwnNetwork: boolean): string[] {
  const network = hasOwnNetwork && wantsOwnNetwork ? ["--unshare-net"] : [];
  const user = asRoot ? [] : ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"];
  // The launcher script is process 1: bubblewrap then waits for it, and leaves no zombie to a process 1 that waits for nobody.
  const life = ["--as-pid-1", "--die-with-parent", "--new-session"];
  return ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", ...network, ...user, ...life];
}

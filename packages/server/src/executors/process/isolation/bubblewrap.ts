import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import type { Attempt } from "../../folders/attempt-folder.ts";
import { sandboxPlaces, sandboxView, terminationLink } from "../../steps/view.ts";
import type { CallFilter } from "../call-filter/call-filter.ts";
import type { LevelName } from "../settings.ts";
import type { Covers } from "./covers.ts";
import { joinCommand } from "./launcher.ts";
import type { FolderMount, Launch, LaunchRequest, Level } from "./level.ts";
import { dropTo } from "./own-uid.ts";
import { type SystemFiles, shownPaths } from "./system-files.ts";
import { type Tools, wordsOfUnshare } from "./tools.ts";

/** What every level with its own file system shows of the machine. */
export interface SandboxFiles {
  system: SystemFiles;
  etc: string;
  nodeBinary: string;
  programsDir: string | undefined;
  callFilter: CallFilter;
  /** Empty files and folders that cover the service's own ones in `system`. */
  covers: Covers;
  tools: Tools;
  /** Whether bubblewrap accepts a descriptor as the source of a mount. */
  takesDescriptors: boolean;
  /** False in most containers: there /proc/sys is read-only. */
  canWriteSettings: boolean;
}

interface Variant {
  name: LevelName;
  /** Run by root, which mounts with its own rights and drops them inside; without a user namespace. */
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

/** @param mountInfo content of /proc/self/mountinfo @returns false if /proc/sys is mounted read-only */
export function canWriteSettings(mountInfo: string): boolean {
  const mounts = mountInfo.split("\n").map((line) => line.split(" "));
  const last = mounts.filter(([, , , , place]) => place === "/proc" || place === "/proc/sys").at(-1);
  return !(last?.[5]?.split(",").includes("ro") ?? false);
}

/** bubblewrap: a new root with read-only parts of the machine, and nothing of the service in it. */
export function createBubblewrap(variant: Variant, files: SandboxFiles): Level {
  const view = sandboxView(files.programsDir !== undefined);
  const fixedArgs = [...rootArgs(files), ...deviceArgs(variant)];
  return {
    name: variant.name,
    hasOwnProcesses: true,
    hasOwnNetwork: variant.hasOwnNetwork,
    hasOwnFiles: true,
    filtersCalls: files.callFilter.file !== undefined,
    canBeAhead: variant.hasOwnNetwork,
    shownFolders: shownPaths(files.system),
    launcherDepth: variant.asRoot ? 3 : 2,
    detail: `${variant.detail}; ${files.callFilter.detail}`,
    view: () => view,
    launch: (request) => launch(variant, files, fixedArgs, request),
  };
}

function launch(variant: Variant, files: SandboxFiles, fixedArgs: readonly string[], request: LaunchRequest): Launch {
  const { tools, takesDescriptors, callFilter } = files;
  const { identity } = request.attempt;
  const isAhead = request.isAhead === true;
  // Root's processes join their groups before there is a sandbox.
  const gateFiles = variant.asRoot ? [] : request.joinFiles;
  const hasGate = isAhead || gateFiles.length > 0;
  const firstFree = hasGate ? 5 : 3;
  const folders = takesDescriptors ? request.folders.map(({ source }) => source) : [];
  const args = [
    ...fixedArgs,
    ...targetArgs(request.folders),
    ...fileArgs(request.files),
    ...attemptArgs(request.attempt),
    ...request.folders.flatMap((mount, index) => folderArgs(mount, takesDescriptors ? firstFree + index : undefined)),
    ...["--remount-ro", "/", "--chdir", "/"],
    ...namespaceArgs(variant, files, request.network !== "host"),
    ...(hasGate ? ["--info-fd", "3", "--block-fd", "4"] : []),
    ...(callFilter.file === undefined ? [] : ["--seccomp", String(firstFree + folders.length)]),
    "--",
    ...(variant.asRoot && identity ? dropTo(tools, identity) : []),
    ...request.argv,
  ];
  const gate = hasGate ? { gateFiles, ...(isAhead && { isAhead }) } : {};
  const common = { ...gate, folders, ...(callFilter.file === undefined ? {} : { filterFile: callFilter.file }) };
  if (!variant.asRoot) return { file: tools.bwrap, args, ...common, ...identity };
  const [file = "", ...rest] = joinCommand(tools.sh, request.joinFiles, [...processSpace(tools), tools.bwrap, ...args]);
  return { file, args: rest, lastWords: wordsOfUnshare, ...common };
}

/**
 * When root runs bubblewrap, it drops its right to signal other users, so its death could not end a first process that has changed its
 * user. A process namespace around it does: the end of that takes everything inside along, whichever user it has. So no process of root has
 * to stay in the sandbox.
 */
function processSpace({ setpriv, unshare }: Tools): string[] {
  return [setpriv, "--pdeathsig=KILL", "--", unshare, "--pid", "--fork", "--kill-child=KILL", "--"];
}

/** The parent folders and the mount points themselves, in the fresh root: nothing that a step can write to is mounted yet. */
function targetArgs(mounts: readonly FolderMount[]): string[] {
  const targets = mounts.map(({ target }) => target);
  return dirArgs(targets.map((target) => `${target}/any`));
}

/** A mount point for a file is created with its mount. */
function fileArgs(files: readonly FolderMount[]): string[] {
  return [...dirArgs(files.map(({ target }) => target)), ...files.flatMap(({ source, target }) => ["--ro-bind", source, target])];
}

function folderArgs({ source, target, readOnly }: FolderMount, descriptor: number | undefined): string[] {
  if (descriptor !== undefined) return [readOnly ? "--ro-bind-fd" : "--bind-fd", String(descriptor), target];
  return [readOnly ? "--ro-bind" : "--bind", source, target];
}

function rootArgs({ system, etc, nodeBinary, programsDir, covers }: SandboxFiles): string[] {
  return [
    ...dirArgs([sandboxPlaces.nodePath, sandboxPlaces.fixedFolder, "/tekton/results", "/var/tmp", sandboxPlaces.programsFolder]),
    ...system.folders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...covers.folders.flatMap((folder) => ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]),
    ...covers.files.flatMap((file) => ["--ro-bind", "/dev/null", file]),
    ...[...system.links, ...sandboxPlaces.links, terminationLink].flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--ro-bind", etc, "/etc"],
    ...(isShown(system, covers, nodeBinary)
      ? ["--symlink", nodeBinary, sandboxPlaces.nodePath]
      : ["--ro-bind", nodeBinary, sandboxPlaces.nodePath]),
    ...(programsDir === undefined ? [] : ["--ro-bind", programsDir, sandboxPlaces.programsFolder]),
  ];
}

/** By default bubblewrap creates parent folders that only its own user can access. */
function dirArgs(paths: readonly string[]): string[] {
  const parents = paths.flatMap((path) => {
    const names = path.split("/").slice(1, -1);
    return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  });
  return [...new Set(parents)].flatMap((path) => ["--dir", path]);
}

/** Whether a path is in a folder that the sandbox shows anyway. */
function isShown(system: SystemFiles, covers: Covers, path: string): boolean {
  return system.folders.some((folder) => isAtOrBelow(path, folder)) && !covers.folders.some((folder) => isAtOrBelow(path, folder));
}

function deviceArgs({ hasProc }: Variant): string[] {
  const memory = ["--size", String(sharedMemoryBytes), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"];
  return ["--dev", "/dev", ...memory, ...(hasProc ? ["--proc", "/proc"] : ["--dir", "/proc"])];
}

function attemptArgs({ writable, fixed }: Attempt): string[] {
  return ["--bind", writable, sandboxPlaces.taskFolder, "--ro-bind", fixed, sandboxPlaces.fixedFolder];
}

/**
 * With `--disable-userns` bubblewrap sets the number of user namespaces that a step can create to zero. Where it can't, only the filter of
 * system calls prevents a step from creating one; without that filter bubblewrap fails, and the level is not used.
 */
function namespaceArgs({ asRoot, hasOwnNetwork }: Variant, files: SandboxFiles, wantsOwnNetwork: boolean): string[] {
  const network = hasOwnNetwork && wantsOwnNetwork ? ["--unshare-net"] : [];
  // Root's bubblewrap keeps only the rights that it needs to drop everything.
  const kept = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((name) => ["--cap-add", name]);
  const lock = !files.canWriteSettings && files.callFilter.file !== undefined ? [] : ["--disable-userns"];
  const user = asRoot ? ["--cap-drop", "ALL", ...kept] : ["--unshare-user", ...lock, "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"];
  // The launcher script is process 1: bubblewrap then waits for it, and leaves no zombie to a process 1 that does not reap.
  const life = ["--as-pid-1", "--die-with-parent", "--new-session"];
  return ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", ...network, ...user, ...life];
}

import { closeSync, openSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineFaultOf } from "../../../base/error/machine-fault.ts";
import type { Identity } from "../../folders/identity.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { sandboxPlaces, sandboxView, terminationLink } from "../../steps/view.ts";
import type { SandboxFiles } from "./bubblewrap.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";
import type { NamespaceLock } from "./namespace-lock.ts";
import { dropTo } from "./own-uid.ts";
import { shownPaths } from "./system-files.ts";
import { type Tools, wordsOfUnshare } from "./tools.ts";

const script = shellProgram("make-root");

/**
 * The same file system as under bubblewrap, built by the programs of util-linux: `unshare` makes the namespaces,
 * programs/make-root.sh mounts a new root and leaves the old one, `setpriv` or a second user namespace takes away the rights that
 * this needed. A mount is a process here, so a step takes some 40 ms longer.
 *
 * That program may be root's, so it trusts nothing that a step can write; it says how. What it mounts, and in which order, is said here.
 */
export function createUnshare(files: SandboxFiles, emptyRoot: string, lock: NamespaceLock | undefined): Level {
  const view = sandboxView(files.programsDir !== undefined);
  return {
    name: "unshare",
    hasOwnProcesses: true,
    hasOwnNetwork: true,
    hasOwnFiles: true,
    filtersCalls: false,
    shownFolders: shownPaths(files.system),
    launcherDepth: 2,
    detail:
      `own files, processes and network by util-linux (unshare, mount, setpriv); ${lock?.detail ?? "steps can't create user namespaces"}; ` +
      "system calls are not filtered, which needs bubblewrap",
    view: () => view,
    launch: (request) => launch(files, emptyRoot, request, lock),
    // As root a step has a user of its own, and no file of the service's.
    ...(lock === undefined && { close: holdFiles([files.etc, ...(files.programsDir === undefined ? [] : [files.programsDir])]) }),
  };
}

function launch(files: SandboxFiles, emptyRoot: string, request: LaunchRequest, lock: NamespaceLock | undefined): Launch {
  const { tools } = files;
  const { identity } = request.attempt;
  const words = [
    ...request.joinFiles.flatMap((file) => ["join", file]),
    ...(request.network === "outbound" ? ["loopback"] : []),
    ...rootWords(files, emptyRoot, request),
  ];
  const network = request.network !== "host" ? ["--net"] : [];
  const user = identity ? [] : ["--user", "--map-root-user"];
  const namespaces = ["--mount", "--pid", "--ipc", "--uts", "--cgroup", ...network, ...user, "--fork", "--kill-child"];
  const { mount, umount, pivot_root, mkdir, rmdir, touch, ln } = tools;
  const root = ["make-root", mount, umount, pivot_root, mkdir, rmdir, touch, ln, ...words, "--"];
  const inside = [tools.sh, "-c", script, ...root, ...giveUp(tools, identity, lock), ...request.argv];
  const args = ["--pdeathsig=KILL", "--", tools.unshare, ...namespaces, "--", ...inside];
  return { file: tools.setpriv, args, lastWords: wordsOfUnshare };
}

/** What the new root was made with must not come along: as root that is everything, else the rights of the first user namespace. */
function giveUp(tools: Tools, identity: Identity | undefined, lock: NamespaceLock | undefined): string[] {
  if (identity) return [...dropTo(tools, identity), ...(lock?.command(identity) ?? [])];
  const setpriv = [tools.setpriv, "--no-new-privs", "--pdeathsig=KILL", "--"];
  return [tools.unshare, "--user", "--map-user=1000", "--map-group=1000", "--", ...setpriv];
}

/** What of the machine is mounted where. The last words are what steps can write. */
function rootWords(files: SandboxFiles, emptyRoot: string, { attempt, folders, files: single }: LaunchRequest): string[] {
  const { system, etc, nodeBinary, programsDir, covers } = files;
  const { taskFolder, fixedFolder, nodePath, programsFolder, links } = sandboxPlaces;
  const made = [
    ...["/etc", "/run/millrace/bin", "/tekton", "/var", "/proc", "/dev", "/.old", taskFolder, fixedFolder],
    ...(programsDir === undefined ? [] : [programsFolder]),
    ...system.folders,
    ...folders.map(({ target }) => target),
    ...single.map(({ target }) => dirname(target)),
  ];
  return [
    ...["root", emptyRoot],
    ...["folders", made.map((path) => `.${path}`).join("\n")],
    ...[nodePath, ...single.map(({ target }) => target)].flatMap((path) => ["file", path]),
    ...[...system.links, ...links, terminationLink].flatMap(({ path, target }) => ["link", target, path]),
    ...system.folders.flatMap((folder) => ["show", folder, folder]),
    ...covers.folders.flatMap((folder) => ["cover", folder]),
    ...covers.files.flatMap((file) => ["show", "/dev/null", file]),
    ...["show", etc, "/etc"],
    ...["devices", "processes"],
    // As root the one namespace more is that of the step (namespace-lock.ts).
    ...(attempt.identity ? [] : ["last-namespace"]),
    ...["show", nodeBinary, nodePath],
    ...(programsDir === undefined ? [] : ["show", programsDir, programsFolder]),
    ...["show", attempt.fixed, fixedFolder],
    ...single.flatMap(({ source, target }) => ["show", source, target]),
    ...["give", attempt.writable, taskFolder],
    ...folders.flatMap(({ source, target, readOnly }) => [readOnly ? "lend" : "give", source, target]),
    "leave",
  ];
}

/**
 * Keeps files open that steps of the service's own user see, where system calls are not filtered: on a file of its user a step may
 * take a lease, and anyone who opens the file waits until it gives that back, for 45 s. The kernel grants no lease on a file that
 * someone else has open for writing, and none that keeps readers waiting on one that is open at all.
 *
 * @param folders whose files the steps see and do not change
 * @returns closes them
 * @throws what the machine lacks
 */
function holdFiles(folders: readonly string[]): () => void {
  const held = folders.flatMap(filesBelow).flatMap(hold);
  return () => {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

function hold(path: string): number[] {
  for (const flags of ["r+", "r"]) {
    try {
      return [openSync(path, flags)];
    } catch (error) {
      if (machineFaultOf(error)) throw error;
      // Not to be written: then only readers are kept from waiting.
    }
  }
  return [];
}

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
 * The same file system as under bubblewrap, built by the programs of util-linux: `unshare` creates the namespaces, programs/make-root.sh
 * mounts a new root and leaves the old one, `setpriv` or a second user namespace drops the rights that this needed. Each mount is a process
 * here, so a step takes some 40 ms longer.
 *
 * That program may run as root, so it trusts nothing that a step can write to; its comments explain how. What it mounts, and in which
 * order, is defined here.
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
    // With root, a step has a user of its own, and owns no files of the service.
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

/** Drops the rights with which the new root was created: all of them for root, otherwise those in the first user namespace. */
function giveUp(tools: Tools, identity: Identity | undefined, lock: NamespaceLock | undefined): string[] {
  if (identity) return [...dropTo(tools, identity), ...(lock?.command(identity) ?? [])];
  const setpriv = [tools.setpriv, "--no-new-privs", "--pdeathsig=KILL", "--"];
  return [tools.unshare, "--user", "--map-user=1000", "--map-group=1000", "--", ...setpriv];
}

/** What of the machine is mounted where. The last words are what steps can write to. */
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
    // With root, the additional namespace is that of the step (namespace-lock.ts).
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
 * Keeps the files open that steps with the user of the service see, where system calls are not filtered: a step may take a lease on a file
 * of its own user, and any process that opens the file then waits until it is released, up to 45 s. The kernel grants no lease on a file
 * that is open for writing elsewhere, and on an open file none that blocks readers.
 *
 * @param folders whose files the steps see and do not change
 * @returns a function that closes them
 * @throws if the machine lacks a resource
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
      // Not writable: then only readers are protected from waiting.
    }
  }
  return [];
}

import type { TaskNetwork } from "../../core/task/task-network.ts";
import type { Identity } from "../folders/identity.ts";
import { sandboxPlaces, sandboxView } from "../steps/sandbox-view.ts";
import type { SandboxFiles } from "./bubblewrap.ts";
import { holdFiles } from "./hold-files.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";
import type { NamespaceLock } from "./namespace-lock.ts";
import { dropTo } from "./own-uid.ts";
import { shownPaths } from "./system-files.ts";
import { type Tools, wordsOfUnshare } from "./tools.ts";

/**
 * The same file system as under bubblewrap, built by the programs of util-linux: `unshare` makes the namespaces, a script mounts a new
 * root and leaves the old one, `setpriv` or a second user namespace takes away the rights that this needed. A mount is a process here,
 * so a step takes some 40 ms longer.
 *
 * The script may be root's, so it trusts nothing that a step can write. Its programs have absolute paths, in folders of the machine that no
 * workspace can cover. Every folder that something is mounted on is made first, in the empty root. What steps can write comes last; after
 * that nothing is made or looked up below it, the script only leaves the old root and gives up its rights.
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
      `own files, processes and network by util-linux (unshare, mount, setpriv); ${lock?.detail ?? "steps make no user namespaces"}; ` +
      "system calls are not filtered, which takes bubblewrap",
    view: () => view,
    launch: (request) => launch(files, emptyRoot, request, lock),
    // As root a step has a user of its own, and no file of the service's.
    ...(lock === undefined && { close: holdFiles([files.etc, ...(files.programsDir === undefined ? [] : [files.programsDir])]) }),
  };
}

function launch(files: SandboxFiles, emptyRoot: string, request: LaunchRequest, lock: NamespaceLock | undefined): Launch {
  const { tools } = files;
  const { identity } = request.attempt;
  const script = [
    ...joinLines(request.joinFiles),
    ...loopbackLines(request.network),
    "set -e",
    ...rootLines(files, emptyRoot, request),
    'exec "$@"',
  ].join("\n");
  const network = request.network !== "host" ? ["--net"] : [];
  const user = identity ? [] : ["--user", "--map-root-user"];
  const namespaces = ["--mount", "--pid", "--ipc", "--uts", "--cgroup", ...network, ...user, "--fork", "--kill-child"];
  // The script is given to a shell by name: its text would be seen in every list of processes.
  const inside = [tools.sh, "-c", script, "root", ...giveUp(tools, identity, lock), ...request.argv];
  const args = ["--pdeathsig=KILL", "--", tools.unshare, ...namespaces, "--", ...inside];
  return { file: tools.setpriv, args, hasGate: false, lastWords: wordsOfUnshare };
}

/** What the new root was made with must not come along: as root that is everything, else the rights of the first user namespace. */
function giveUp(tools: Tools, identity: Identity | undefined, lock: NamespaceLock | undefined): string[] {
  if (identity) return [...dropTo(tools, identity), ...(lock?.command(identity) ?? [])];
  const setpriv = [tools.setpriv, "--no-new-privs", "--pdeathsig=KILL", "--"];
  return [tools.unshare, "--user", "--map-user=1000", "--map-group=1000", "--", ...setpriv];
}

/** The way out ends at an address of the step's own network. bubblewrap does that by itself. */
function loopbackLines(network: TaskNetwork): string[] {
  return network === "outbound"
    ? ["ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || busybox ip link set lo up 2>/dev/null || true"]
    : [];
}

function joinLines(files: readonly string[]): string[] {
  return files.map((file) => `echo 0 > ${quote(file)} || exit 125`);
}

function rootLines(files: SandboxFiles, emptyRoot: string, { attempt, workspaces }: LaunchRequest): string[] {
  const { system, etc, nodeBinary, programsDir, covers, tools } = files;
  const { taskFolder, fixedFolder, nodePath, programsFolder, links } = sandboxPlaces;
  // One more user namespace, which gives up what this one could do, and none after it. As root the one of the step does that (namespace-lock.ts).
  const lastNamespace = attempt.identity ? [] : ["echo 1 > proc/sys/user/max_user_namespaces"];
  const bind = (source: string, target: string, readOnly: boolean): string => bindLine(tools, source, target, readOnly);
  const made = [
    ...["/etc", "/run/millrace/bin", "/tekton", "/var", "/proc", "/dev", "/.old", taskFolder, fixedFolder],
    ...(programsDir === undefined ? [] : [programsFolder]),
    ...system.folders,
    ...workspaces.map(({ target }) => target),
  ];
  return [
    `cd ${quote(emptyRoot)}`,
    `${tools.mount} -t tmpfs -o mode=755,size=4m,nosuid tmpfs .`,
    `cd ${quote(emptyRoot)}`,
    `${tools.mkdir} -p ${made.map((path) => `.${quote(path)}`).join(" ")}`,
    `${tools.touch} .${nodePath}`,
    ...[...system.links, ...links].map(({ path, target }) => `${tools.ln} -s ${quote(target)} .${path}`),
    ...system.folders.map((folder) => bind(folder, folder, true)),
    ...covers.folders.map((folder) => `${tools.mount} -t tmpfs -o ro,size=4k,nosuid,nodev,noexec tmpfs .${quote(folder)}`),
    ...covers.files.map((file) => bind("/dev/null", file, true)),
    bind(etc, "/etc", true),
    ...deviceLines(tools),
    `${tools.mount} -t proc -o nosuid,nodev,noexec proc proc`,
    ...lastNamespace,
    bind(nodeBinary, nodePath, true),
    ...(programsDir === undefined ? [] : [bind(programsDir, programsFolder, true)]),
    bind(attempt.fixed, fixedFolder, true),
    bind(attempt.writable, taskFolder, false),
    ...workspaces.map(({ source, target, readOnly }) => bind(source, target, readOnly)),
    `${tools.pivot_root} . .old`,
    `${tools.umount} -l /.old`,
    `${tools.rmdir} /.old`,
    `${tools.mount} -o remount,bind,ro,nosuid /`,
    "cd /",
  ];
}

const devices = ["null", "zero", "full", "random", "urandom"];
const deviceLines = ({ mount, mkdir, touch, ln }: Tools): string[] => [
  `${mount} -t tmpfs -o mode=755,size=64m,nosuid,noexec tmpfs dev`,
  `${mkdir} -m 1777 dev/shm`,
  `${touch} ${devices.map((name) => `dev/${name}`).join(" ")}`,
  ...devices.map((name) => `${mount} --bind /dev/${name} dev/${name}`),
  `${ln} -s /proc/self/fd dev/fd`,
  `${ln} -s /proc/self/fd/0 dev/stdin`,
  `${ln} -s /proc/self/fd/1 dev/stdout`,
  `${ln} -s /proc/self/fd/2 dev/stderr`,
];

function bindLine({ mount }: Tools, source: string, target: string, readOnly: boolean): string {
  const options = readOnly ? "bind,ro,nosuid" : "bind,nosuid";
  return `${mount} -o ${options} ${quote(source)} .${quote(target)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

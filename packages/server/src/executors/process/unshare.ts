import type { TaskNetwork } from "../../core/task-network.ts";
import type { Identity } from "../folders/identity.ts";
import { sandboxPlaces, sandboxView } from "../steps/sandbox-view.ts";
import type { SandboxFiles } from "./bubblewrap.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";
import { dropTo } from "./own-uid.ts";

/**
 * The same file system as under bubblewrap, built by the programs of util-linux: `unshare` makes the namespaces, a script mounts a new
 * root and leaves the old one, `setpriv` or a second user namespace takes away the rights that this needed. A mount is a process here,
 * so a step takes some 40 ms longer.
 */
export function createUnshare(files: SandboxFiles, emptyRoot: string): Level {
  const view = sandboxView(files.programsDir !== undefined);
  return {
    name: "unshare",
    hasOwnProcesses: true,
    hasOwnNetwork: true,
    hasOwnFiles: true,
    launcherDepth: 2,
    detail: "own files, processes and network by util-linux (unshare, mount, setpriv)",
    view: () => view,
    launch: (request) => launch(files, emptyRoot, request),
  };
}

function launch(files: SandboxFiles, emptyRoot: string, request: LaunchRequest): Launch {
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
  const inside = ["/bin/sh", "-c", script, "root", ...giveUp(identity), ...request.argv];
  return { file: "setpriv", args: ["--pdeathsig=KILL", "--", "unshare", ...namespaces, "--", ...inside], hasGate: false };
}

/** What the new root was made with must not come along: as root that is everything, else the rights of the first user namespace. */
function giveUp(identity: Identity | undefined): string[] {
  if (identity) return dropTo(identity);
  return ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--", "setpriv", "--no-new-privs", "--pdeathsig=KILL", "--"];
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
  const { system, etc, nodeBinary, programsDir } = files;
  const { taskFolder, fixedFolder, nodePath, links } = sandboxPlaces;
  // One more user namespace, which gives up what this one could do, and none after it. Root has none to count.
  const lastNamespace = attempt.identity ? [] : ["echo 1 > proc/sys/user/max_user_namespaces"];
  return [
    `cd ${quote(emptyRoot)}`,
    "mount -t tmpfs -o mode=755,size=4m,nosuid tmpfs .",
    `cd ${quote(emptyRoot)}`,
    ...system.folders.flatMap((folder) => bindFolder(folder, folder, true)),
    ...system.links.map(({ path, target }) => `ln -s ${quote(target)} .${path}`),
    "mkdir -p run/millrace/bin tekton var proc dev",
    ...links.map(({ path, target }) => `ln -s ${quote(target)} .${path}`),
    ...bindFolder(etc, "/etc", true),
    ...deviceLines,
    "mount -t proc -o nosuid,nodev,noexec proc proc",
    ...lastNamespace,
    ...bindFolder(attempt.writable, taskFolder, false),
    ...bindFolder(attempt.fixed, fixedFolder, true),
    `touch .${nodePath}`,
    bind(nodeBinary, nodePath, true),
    ...(programsDir === undefined ? [] : bindFolder(programsDir, sandboxPlaces.programsFolder, true)),
    ...workspaces.flatMap(({ source, mountPath, readOnly }) => bindFolder(source, mountPath, readOnly)),
    "mkdir .old",
    "pivot_root . .old",
    "umount -l /.old",
    "rmdir /.old",
    "mount -o remount,bind,ro,nosuid /",
    "cd /",
  ];
}

const devices = ["null", "zero", "full", "random", "urandom"];
const deviceLines = [
  "mount -t tmpfs -o mode=755,size=64m,nosuid,noexec tmpfs dev",
  "mkdir -m 1777 dev/shm",
  `touch ${devices.map((name) => `dev/${name}`).join(" ")}`,
  ...devices.map((name) => `mount --bind /dev/${name} dev/${name}`),
  "ln -s /proc/self/fd dev/fd",
  "ln -s /proc/self/fd/0 dev/stdin",
  "ln -s /proc/self/fd/1 dev/stdout",
  "ln -s /proc/self/fd/2 dev/stderr",
];

function bindFolder(source: string, target: string, readOnly: boolean): string[] {
  return [`mkdir -p .${quote(target)}`, bind(source, target, readOnly)];
}

function bind(source: string, target: string, readOnly: boolean): string {
  const options = readOnly ? "bind,ro,nosuid" : "bind,nosuid";
  return `mount -o ${options} ${quote(source)} .${quote(target)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

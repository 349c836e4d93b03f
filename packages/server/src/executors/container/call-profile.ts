import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkedCalls, deniedCalls } from "../process/call-filter/system-calls.ts";

/**
 * The system calls of steps with Podman, in the form of its `seccomp` option. Podman's own profile allows everyone to create user
 * namespaces, in which a step has all privileges: it could mount file systems that are not measured, and reach much more of the kernel.
 * Docker's profile refuses that, so Docker keeps its own.
 */

interface Argument {
  index: number;
  value: number;
  valueTwo?: number;
  op: "SCMP_CMP_EQ" | "SCMP_CMP_GT" | "SCMP_CMP_MASKED_EQ";
}

const notPermitted = 1;
const notImplemented = 38;
const noSuchFamily = 97;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. `unshare` also has NEWTIME, whose bit `clone` uses for a signal. */
const namespaceFlags = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
const timeNamespaceFlag = 0x80;
/** Address families other than UNIX, IPv4, IPv6 and netlink: 3 to 9, 11 to 15, and all from 17 on. */
const otherFamilies = [3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];
const lastFamily = 16;
/** F_SETLEASE, F_SETDELEG */
const leases = [1024, 1040];

/** The calls that a capability permits here, in addition to the kernel's own checks. */
const freedBy: Readonly<Record<string, readonly string[]>> = {
  BPF: ["bpf"],
  DAC_READ_SEARCH: ["open_by_handle_at"],
  PERFMON: ["perf_event_open"],
  SYSLOG: ["syslog"],
  SYS_ADMIN: [
    ...["mount", "umount", "umount2", "pivot_root", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick"],
    ...["mount_setattr", "setns", "quotactl", "quotactl_fd", "sethostname", "setdomainname", "fanotify_init", "bpf", "perf_event_open"],
    ...["swapon", "swapoff", "syslog"],
  ],
  SYS_BOOT: ["reboot", "kexec_load", "kexec_file_load"],
  SYS_MODULE: ["init_module", "finit_module", "delete_module"],
  SYS_NICE: ["mbind", "get_mempolicy", "set_mempolicy", "set_mempolicy_home_node", "migrate_pages", "move_pages"],
  SYS_PACCT: ["acct"],
  SYS_PTRACE: ["kcmp", "pidfd_getfd", "process_madvise"],
  SYS_RAWIO: ["iopl", "ioperm"],
  SYS_TIME: ["settimeofday", "clock_settime", "stime"],
  SYS_TTY_CONFIG: ["vhangup"],
};

/** The refused calls, grouped by the capabilities any one of which permits them. */
function callGroups(): [caps: string[], names: string[]][] {
  const groups = new Map<string, string[]>();
  for (const name of [...deniedCalls.map(([name]) => name), "umount", "stime", "socketcall"]) {
    const caps = Object.keys(freedBy).filter((cap) => freedBy[cap]?.includes(name));
    groups.set(caps.join(), [...(groups.get(caps.join()) ?? []), name]);
  }
  return [...groups].map(([caps, names]) => [caps.split(",").filter((cap) => cap !== ""), names]);
}

/** The same calls that the process executor filters at its levels with a filter; also for 32-bit programs. */
function callProfile(): object {
  const refuse = (names: readonly string[], errnoRet: number, ...args: Argument[]) => ({ names, action: "SCMP_ACT_ERRNO", errnoRet, args });
  // The rule doesn't apply to a step that the operator has given one of these capabilities; this is Podman's notation for that.
  const unless = (caps: readonly string[], rule: object) =>
    caps.length === 0 ? rule : { ...rule, excludes: { caps: caps.map((name) => `CAP_${name}`) } };
  const hasFlag = (flag: number): Argument => ({ index: 0, value: flag, valueTwo: flag, op: "SCMP_CMP_MASKED_EQ" });
  const equals = (index: number, value: number): Argument => ({ index, value, op: "SCMP_CMP_EQ" });
  const sockets = [checkedCalls.socket[0], checkedCalls.socketpair[0]];
  return {
    defaultAction: "SCMP_ACT_ALLOW",
    architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"],
    syscalls: [
      ...callGroups().map(([caps, names]) => unless(caps, refuse(names, notPermitted))),
      unless(["SYS_ADMIN"], refuse([checkedCalls.clone3[0]], notImplemented)),
      ...namespaceFlags.map((flag) =>
        unless(["SYS_ADMIN"], refuse([checkedCalls.clone[0], checkedCalls.unshare[0]], notPermitted, hasFlag(flag))),
      ),
      unless(["SYS_ADMIN"], refuse([checkedCalls.unshare[0]], notPermitted, hasFlag(timeNamespaceFlag))),
      ...otherFamilies.map((family) => refuse(sockets, noSuchFamily, equals(0, family))),
      refuse(sockets, noSuchFamily, { index: 0, value: lastFamily, op: "SCMP_CMP_GT" }),
      ...leases.map((lease) => refuse([checkedCalls.fcntl[0], "fcntl64"], notPermitted, equals(1, lease))),
    ],
  };
}

export function callProfilePath(folder: string): string {
  return join(folder, "system-calls.json");
}

/** The engine reads the file for each container, always at the same path. */
export async function writeCallProfile(folder: string): Promise<void> {
  const path = callProfilePath(folder);
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(callProfile()), { mode: 0o644 });
  await rename(draft, path);
}

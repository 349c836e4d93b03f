/** Name and number of a system call: on x64, and on arm64 if that has it. */
export type SystemCall = readonly [name: string, x64: number, arm64?: number];

/**
 * System calls that are denied to steps, as in Docker's default profile: what namespaces don't separate, what only an administrator needs,
 * and what gives access to vulnerabilities of the kernel. They fail with EPERM.
 */
export const deniedCalls: readonly SystemCall[] = [
  // Keys of the kernel, which namespaces don't separate.
  ["add_key", 248, 217],
  ["request_key", 249, 218],
  ["keyctl", 250, 219],
  // Large interfaces in which vulnerabilities are found again and again; programs work without them.
  ["io_uring_setup", 425, 425],
  ["io_uring_enter", 426, 426],
  ["io_uring_register", 427, 427],
  ["bpf", 321, 280],
  ["perf_event_open", 298, 241],
  ["userfaultfd", 323, 282],
  ["fanotify_init", 300, 262],
  // Mounts and namespaces: the sandbox consists of them.
  ["mount", 165, 40],
  ["umount2", 166, 39],
  ["pivot_root", 155, 41],
  ["open_tree", 428, 428],
  ["move_mount", 429, 429],
  ["fsopen", 430, 430],
  ["fsconfig", 431, 431],
  ["fsmount", 432, 432],
  ["fspick", 433, 433],
  ["mount_setattr", 442, 442],
  ["open_tree_attr", 467, 467],
  ["setns", 308, 268],
  // Files by handle: bypasses every path, and so every mount.
  ["open_by_handle_at", 304, 265],
  // Access to other processes, beyond what a debugger needs.
  ["kcmp", 312, 272],
  ["pidfd_getfd", 438, 438],
  ["process_madvise", 440, 440],
  // Placement of memory on a machine with several processors.
  ["mbind", 237, 235],
  ["get_mempolicy", 239, 236],
  ["set_mempolicy", 238, 237],
  ["set_mempolicy_home_node", 450, 450],
  ["migrate_pages", 256, 238],
  ["move_pages", 279, 239],
  // Administration of the kernel and the machine.
  ["init_module", 175, 105],
  ["finit_module", 313, 273],
  ["delete_module", 176, 106],
  ["kexec_load", 246, 104],
  ["kexec_file_load", 320, 294],
  ["reboot", 169, 142],
  ["swapon", 167, 224],
  ["swapoff", 168, 225],
  ["acct", 163, 89],
  ["quotactl", 179, 60],
  ["quotactl_fd", 443, 443],
  ["settimeofday", 164, 170],
  ["clock_settime", 227, 112],
  ["sethostname", 170, 161],
  ["setdomainname", 171, 162],
  ["syslog", 103, 116],
  ["vhangup", 153, 58],
  ["lookup_dcookie", 212, 18],
  ["nfsservctl", 180, 42],
  // For old kernels and old processors.
  ["iopl", 172],
  ["ioperm", 173],
  ["uselib", 134],
  ["ustat", 136],
  ["sysfs", 139],
  ["_sysctl", 156],
  ["create_module", 174],
  ["query_module", 178],
  ["get_kernel_syms", 177],
];

/** Calls whose arguments are checked. Numbers are those of the kernel's tables (`unistd.h`). */
export const checkedCalls = {
  fcntl: ["fcntl", 72, 25],
  clone: ["clone", 56, 220],
  clone3: ["clone3", 435, 435],
  unshare: ["unshare", 272, 97],
  personality: ["personality", 135, 92],
  socket: ["socket", 41, 198],
  socketpair: ["socketpair", 53, 199],
} as const satisfies Record<string, SystemCall>;

/** The last call with which these lists were compared (file_setattr of Linux 6.17); new calls have the same number on all processors. */
export const newestCall = 469;

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assemble, callActions, callData, type Instruction } from "./filter-program.ts";
import { checkedCalls, deniedCalls, newestCall, type SystemCall } from "./system-calls.ts";

/** Error numbers of the kernel, the same on every processor supported here. */
const callErrors = { notPermitted: 1, notImplemented: 38, noSuchFamily: 97 } as const;

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64, and the position of their call numbers in the tables. */
const architectures = {
  x64: { code: 0xc000003e, place: 1 },
  arm64: { code: 0xc00000b7, place: 2 },
} as const;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; `unshare` also has NEWTIME, whose bit `clone` uses for a signal. */
const namespaceFlags = 0x7e020000;
const timeNamespaceFlag = 0x80;

/** PER_LINUX and PER_LINUX32, each with or without UNAME26, and the query for the current one. */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];

/**
 * F_SETLEASE and F_SETDELEG: any process that opens the file then waits until the holder releases it, 45 s by default. Steps of all teams
 * see the same files, and if the service is not root, the files belong to the same user as the steps.
 */
const leases = [1024, 1040];

/**
 * AF_UNSPEC, UNIX, INET, INET6 and NETLINK. Others are rarely used, and some are not confined by a network namespace (VSOCK, which leads to
 * the host).
 */
const socketFamilies = [0, 1, 2, 10, 16];

/**
 * What a step may request from the kernel. This is a list of denied calls, so that programs run as they do elsewhere, and it has an end:
 * calls newer than the list appear not to exist, which every libc can handle. So does `clone3`, whose flags are in memory that a filter
 * can't read; libc then uses `clone`. Programs for another kind of processor (32 bits) have other numbers for everything, and are ended.
 *
 * @returns undefined for an unsupported processor
 */
export function createCallFilter(architecture: string): Buffer | undefined {
  if (architecture !== "x64" && architecture !== "arm64") return undefined;
  const { code, place } = architectures[architecture];
  const numberOf = (call: SystemCall): number[] => [call[place]].filter((number) => number !== undefined);
  const goTo = (call: SystemCall, label: string): Instruction[] =>
    numberOf(call).map((value) => ({ kind: "jump", test: "equals", value, ifTrue: label }));
  return assemble([
    { kind: "load", offset: callData.architecture },
    { kind: "jump", test: "equals", value: code, ifFalse: "foreign" },
    { kind: "load", offset: callData.number },
    // The second set of numbers of an x64 kernel (x32) is far above.
    { kind: "jump", test: "greater", value: newestCall, ifTrue: "unknown" },
    ...goTo(checkedCalls.clone3, "unknown"),
    ...goTo(checkedCalls.fcntl, "fcntl"),
    ...goTo(checkedCalls.clone, "clone"),
    ...goTo(checkedCalls.unshare, "unshare"),
    ...goTo(checkedCalls.personality, "personality"),
    ...goTo(checkedCalls.socket, "socket"),
    ...goTo(checkedCalls.socketpair, "socket"),
    ...deniedCalls.flatMap((call) => goTo(call, "denied")),
    { kind: "return", action: callActions.allow },
    ...refuseSecond("fcntl", leases),
    ...checkFlags("clone", namespaceFlags),
    ...checkFlags("unshare", namespaceFlags | timeNamespaceFlag),
    ...checkFirst("personality", personalities, callErrors.notPermitted),
    ...checkFirst("socket", socketFamilies, callErrors.noSuchFamily),
    ...end("allowed", callActions.allow),
    ...end("denied", callActions.fail(callErrors.notPermitted)),
    ...end("unknown", callActions.fail(callErrors.notImplemented)),
    ...end("foreign", callActions.endProcess),
  ]);
}

/** Denied with any of these flags in the first argument. */
function checkFlags(label: string, flags: number): Instruction[] {
  return [
    { kind: "label", name: label },
    { kind: "load", offset: callData.argument(0) },
    { kind: "jump", test: "hasAnyOf", value: flags, ifTrue: "denied", ifFalse: "allowed" },
  ];
}

/** Allowed with one of these values as first argument. */
function checkFirst(label: string, values: readonly number[], errno: number): Instruction[] {
  return [
    { kind: "label", name: label },
    { kind: "load", offset: callData.argument(0) },
    ...values.map((value): Instruction => ({ kind: "jump", test: "equals", value, ifTrue: "allowed" })),
    { kind: "return", action: callActions.fail(errno) },
  ];
}

/** Denied with one of these values as second argument. */
function refuseSecond(label: string, values: readonly number[]): Instruction[] {
  return [
    { kind: "label", name: label },
    { kind: "load", offset: callData.argument(1) },
    ...values.map((value): Instruction => ({ kind: "jump", test: "equals", value, ifTrue: "denied" })),
    { kind: "return", action: callActions.allow },
  ];
}

function end(label: string, action: number): Instruction[] {
  return [
    { kind: "label", name: label },
    { kind: "return", action },
  ];
}

/** The filter of system calls, in the form in which bubblewrap reads it for each step. */
export interface CallFilter {
  /** Undefined if this machine has no such filter. */
  file: string | undefined;
  /** For people. */
  detail: string;
}

const actionsFile = "/proc/sys/kernel/seccomp/actions_avail";

/**
 * @param folder closed to others, or at least not writable for them
 * @param kernelActions the actions of filters that the kernel supports; empty: it has no filters
 */
export async function writeCallFilter(folder: string, architecture: string = process.arch, kernelActions?: string): Promise<CallFilter> {
  const program = createCallFilter(architecture);
  if (program === undefined) return without(`there is no filter for processors of the kind ${architecture}`);
  const actions = kernelActions ?? (await readFile(actionsFile, "utf8").catch(() => ""));
  if (!/\bkill_process\b/.test(actions)) return without("this kernel has no seccomp filters");
  const file = join(folder, "call-filter");
  await writeFile(file, program, { mode: 0o600 });
  return { file, detail: "system calls filtered" };
}

function without(reason: string): CallFilter {
  return { file: undefined, detail: `system calls are not filtered: ${reason}` };
}

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { ownArchitecture } from "../../steps/copy-output.ts";
import { machineProgram, type ProgramArchitecture } from "../../steps/machine-program.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";
import { startStepCode } from "./start-step-code.ts";

/** The program for x86-64: the bytes of each instruction, and the instruction. */
export const freshSessionX64 = `
                  ; start:
4889e3            ;   mov rbx, rsp
bf01000000        ;   mov edi, 1                              ; keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0)
31f6              ;   xor esi, esi
b8fa000000        ;   mov eax, 250
0f05              ;   syscall
bf7d000000        ;   mov edi, 125
85c0              ;   test eax, eax
790a              ;   jns run
83f8ff            ;   cmp eax, -1                             ; EPERM, ENOSYS: there is no key store to use
7405              ;   je run
83f8da            ;   cmp eax, -38
751b              ;   jne leave
                  ; run:
488b0b            ;   mov rcx, [rbx]                          ; execve(arguments[1], arguments + 1, environment)
488d54cb10        ;   lea rdx, [rbx + rcx*8 + 16]
488d7310          ;   lea rsi, [rbx + 16]
488b3e            ;   mov rdi, [rsi]
b83b000000        ;   mov eax, 59
0f05              ;   syscall
bf7e000000        ;   mov edi, 126
                  ; leave:
b83c000000        ;   mov eax, 60
0f05              ;   syscall
`;

/** The same for AArch64. */
export const freshSessionArm64 = `
                  ; start:
f3030091          ;   mov x19, sp
200080d2          ;   mov x0, #1                              ; keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0)
010080d2          ;   mov x1, #0
681b80d2          ;   mov x8, #219
010000d4          ;   svc #0
e000f836          ;   tbz w0, #31, run
1f040031          ;   cmn w0, #1                              ; EPERM, ENOSYS: there is no key store to use
a0000054          ;   b.eq run
1f980031          ;   cmn w0, #38
60000054          ;   b.eq run
a00f80d2          ;   mov x0, #125
09000014          ;   b leave
                  ; run:
690240f9          ;   ldr x9, [x19]                           ; execve(arguments[1], arguments + 1, environment)
620e098b          ;   add x2, x19, x9, lsl #3
42400091          ;   add x2, x2, #16
61420091          ;   add x1, x19, #16
200040f9          ;   ldr x0, [x1]
a81b80d2          ;   mov x8, #221
010000d4          ;   svc #0
c00f80d2          ;   mov x0, #126
                  ; leave:
a80b80d2          ;   mov x8, #93
010000d4          ;   svc #0
`;

/**
 * The program that a step starts with. A process inherits the session keyring of its parent, starting with that of the service: systemd, a
 * login or a mount may have put tickets and keys there, and every step would have them; where system calls are filtered, it could still
 * read their names. So this program executes the one in its arguments in a new session keyring. No program that every machine has does
 * that, so this is a quarter of a kilobyte of machine code.
 *
 * If the kernel has no key store, or refuses access to it (a container's filter), no step can use it either. Any other refusal ends the
 * program with exit code 125.
 */
const codes: Readonly<Partial<Record<string, string>>> = { x64: freshSessionX64, arm64: freshSessionArm64 };

/**
 * @param folder writable only for the service
 * @returns its path; undefined: there is none for this processor, or programs in that folder can't be executed
 */
export async function writeFreshSession(folder: string, architecture: string = process.arch): Promise<string | undefined> {
  const code = codes[architecture];
  if (code === undefined) return undefined;
  const path = join(folder, "fresh-session");
  // Synchronously: a process that was started in the meantime would have it open for writing, and then it could not be executed.
  writeFileSync(path, machineProgram(architecture as ProgramArchitecture, code));
  chmodSync(path, 0o755);
  return (await runTool(path, ["/bin/true"])).code === 0 ? path : undefined;
}

/** @param program undefined: steps have the session keyring of the service, which is reported */
export function inFreshSession(level: Level, program: string | undefined): Level {
  // Without a sandbox a step has the rights of the service anyway.
  if (level.name === "none") return level;
  if (program === undefined)
    return level.filtersCalls ? level : { ...level, detail: `${level.detail}; steps can use the session keyring of the service` };
  const launch = (request: LaunchRequest): Launch => {
    const { file, args, ...rest } = level.launch(request);
    return { ...rest, file: program, args: [file, ...args] };
  };
  return { ...level, launch };
}

/** The first process of every step, where the program below does not run; its own comments explain it. */
const script = shellProgram("start-step");

/**
 * The same as machine code without a library (programs/start-step.c): starting a shell takes the processor longer than everything else that
 * the launcher does.
 * @param folder writable only for the service, on the disk of the attempts
 * @returns undefined: there is none for this processor, or programs on that disk can't be executed
 */
export async function findLauncherProgram(folder: string): Promise<Buffer | undefined> {
  const architecture = ownArchitecture();
  if (architecture === undefined) return undefined;
  const program = machineProgram(architecture, startStepCode[architecture]);
  const path = join(folder, "start-step");
  // Synchronously: a process that was started in the meantime would have it open for writing, and then it could not be executed.
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  return (await runTool(path, ["-", "0", "0", "/", "022", "/bin/true"])).code === 0 ? program : undefined;
}

export interface LauncherSettings {
  /** Absolute path of the program in the sandbox; undefined: a shell is used instead. */
  program: string | undefined;
  /** Absolute path of the environment file in the sandbox. */
  environmentFile: string | undefined;
  /** Maximum data segment of one process in bytes, if no control group limits memory. */
  dataBytes: number | undefined;
  /** Maximum number of processes of the user, if no control group limits them. */
  processes: number | undefined;
  workingDir: string;
  umask: "022" | "077";
}

export function launcherCommand(settings: LauncherSettings, argv: readonly string[]): string[] {
  const dataKib = settings.dataBytes === undefined ? 0 : Math.ceil(settings.dataBytes / 1024);
  const limits = [settings.environmentFile ?? "-", String(dataKib), String(settings.processes ?? 0), settings.workingDir, settings.umask];
  const launcher = settings.program === undefined ? ["/bin/sh", "-c", script, "step"] : [settings.program];
  return [...launcher, ...limits, ...argv];
}

/** The same with a lower processor priority; only programs that keep the process id come in between. */
export function nicely(launch: Launch, niceness: number): Launch {
  return niceness === 0 ? launch : { ...launch, file: "nice", args: ["-n", String(niceness), launch.file, ...launch.args] };
}

const joinScript = shellProgram("join-groups");

/** Joins the control groups while that is still allowed, then executes the given program. @param shell its absolute path */
export function joinCommand(shell: string, files: readonly string[], argv: readonly string[]): string[] {
  return files.length === 0 ? [...argv] : [shell, "-c", joinScript, "join", ...files, "--", ...argv];
}

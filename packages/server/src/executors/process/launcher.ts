import type { Launch } from "./level.ts";

/**
 * The first process of every step: a small shell script inside the sandbox, with no more rights than the step. It sets what a program can
 * only set for itself (limits, folder, environment), starts the step and ends with its exit code. It is needed as the first process of
 * a process space anyway: a program without signal handlers could not be ended there, and orphans need somebody to wait for them.
 *
 * When the machine runs out of memory the kernel ends steps before anything else (`oom_score_adj`), the service and its database last.
 *
 * The environment of the step comes as a file and only here, so that no variable of a user (LD_PRELOAD) reaches a program of the sandbox.
 */
const script = `
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
[ "$2" = 0 ] || ulimit -d "$2" 2>/dev/null
[ "$3" = 0 ] || ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null
ulimit -c 0 2>/dev/null
umask "$5"
[ "$1" = - ] || . "$1"
cd -- "$4" 2>/dev/null || { mkdir -p -- "$4" && cd -- "$4"; } || { echo "cannot enter the working directory $4" >&2; exit 126; }
unset OLDPWD
shift 5
exec 3>&2 2>/dev/null
( exec "$@" 2>&3 3>&- )
exit $?
`;

export interface LauncherSettings {
  /** Absolute path of the environment file, as the step sees it. */
  environmentFile: string | undefined;
  /** Largest data segment of one process in bytes, where no control group limits memory. */
  dataBytes: number | undefined;
  /** Most processes of the user, where no control group limits them. */
  processes: number | undefined;
  workingDir: string;
  umask: "022" | "077";
}

export function launcherCommand(settings: LauncherSettings, argv: readonly string[]): string[] {
  const dataKib = settings.dataBytes === undefined ? 0 : Math.ceil(settings.dataBytes / 1024);
  const limits = [settings.environmentFile ?? "-", String(dataKib), String(settings.processes ?? 0), settings.workingDir, settings.umask];
  return ["/bin/sh", "-c", script, "step", ...limits, ...argv];
}

/** The same with less weight for the processor; nothing but the program's number of the process stays in between. */
export function nicely(launch: Launch, niceness: number): Launch {
  return niceness === 0 ? launch : { ...launch, file: "nice", args: ["-n", String(niceness), launch.file, ...launch.args] };
}

/** Joins the control groups while it still may, then goes on as the given program. */
const joinScript = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';

/** @param shell its absolute path */
export function joinCommand(shell: string, files: readonly string[], argv: readonly string[]): string[] {
  return files.length === 0 ? [...argv] : [shell, "-c", joinScript, "join", ...files, "--", ...argv];
}

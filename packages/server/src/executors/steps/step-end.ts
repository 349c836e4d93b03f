/** How the last process of a step ended. */
export interface StepEnd {
  /** 128 + signal if a signal ended it. */
  exitCode: number;
  /** Set if it could not be started, or if its end is unknown. */
  error?: NodeJS.ErrnoException;
  /** Set together with an error that leaves open whether it had started. */
  mayHaveBegun?: true;
}

const signalNumbers: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};

export function signalNumber(name: string | null): number {
  return signalNumbers[name ?? ""] ?? 0;
}

/** @returns the name of the signal that an exit code over 128 stands for */
export function signalOfExitCode(exitCode: number): string | undefined {
  return Object.keys(signalNumbers).find((name) => signalNumbers[name] === exitCode - 128);
}

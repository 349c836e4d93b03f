import type { ExecutorState } from "../../engine/executor.ts";

/** Why a machine can't run tasks now. */
export interface KnownFault {
  /** The operating system's name for it: `ENOSPC`. */
  code: string;
  /** For everyone: does not mention paths of the machine. */
  words: string;
  /** For the operator of the machine. */
  detail: string;
}

export function describeFault({ words, detail }: KnownFault, isolation: string): ExecutorState {
  return {
    available: false,
    isolation,
    detail: `this worker accepts no tasks: ${detail}. It checks again every few seconds`,
    fault: words,
  };
}

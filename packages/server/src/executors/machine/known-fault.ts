import type { ExecutorState } from "../../engine/executor.ts";

/** Why a machine can run no tasks now. */
export interface KnownFault {
  /** As the operating system names it: `ENOSPC`. */
  code: string;
  /** For everyone: names no place of the machine. */
  words: string;
  /** For its operator. */
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

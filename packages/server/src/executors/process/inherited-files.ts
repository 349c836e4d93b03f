import { openSync, readdirSync, readFileSync } from "node:fs";

/**
 * Descriptors that this process was started with and would pass on to every step: a folder among them would be a way out of any sandbox.
 * Node sets close-on-exec on the first sixteen and on its own; others keep the state that their creator gave them.
 */
export interface InheritedFiles {
  /** The descriptors of a child from 3 on: `filled` where given, /dev/null in place of those that would leak. */
  stdioAfter<T>(filled: readonly T[]): (T | number | "ignore")[];
}

const closeOnExec = 0o2000000;

export function findInheritedFiles(): InheritedFiles {
  const leaking = listDescriptors().filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
  const nothing = leaking.length === 0 ? -1 : openSync("/dev/null", "r+");
  return {
    stdioAfter<T>(filled: readonly T[]) {
      const stdio: (T | number | "ignore")[] = [...filled];
      for (const descriptor of leaking.filter((each) => each - 3 >= filled.length)) {
        while (stdio.length < descriptor - 3) stdio.push("ignore");
        stdio[descriptor - 3] = nothing;
      }
      return stdio;
    },
  };
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    // The descriptor of the listing itself is closed by now.
    return true;
  }
}

import { closeSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { machineFaultOf } from "../../base/error/machine-fault.ts";

/**
 * Keeps files open that steps of the service's own user see, where system calls are not filtered: on a file of its user a step may
 * take a lease, and anyone who opens the file waits until it gives that back, for 45 s. The kernel grants no lease on a file that
 * someone else has open for writing, and none that keeps readers waiting on one that is open at all.
 *
 * @param folders whose files the steps see and do not change
 * @returns closes them
 * @throws what the machine lacks
 */
export function holdFiles(folders: readonly string[]): () => void {
  const held = folders.flatMap(filesBelow).flatMap(hold);
  return () => {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

function hold(path: string): number[] {
  for (const flags of ["r+", "r"]) {
    try {
      return [openSync(path, flags)];
    } catch (error) {
      if (machineFaultOf(error)) throw error;
      // Not to be written: then only readers are kept from waiting.
    }
  }
  return [];
}

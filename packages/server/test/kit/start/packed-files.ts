import { existsSync, renameSync } from "node:fs";
import { inject } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "../../../../../scripts/lock.mjs";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { run } from "./start-fixture.ts";

/**
 * What `npm run pack` makes of this checkout. Packing takes longer than most tests that install or start the result, so it is done once in a
 * run of tests, by the first file that asks. Only for reading.
 * @returns the folder with the package, the list of its components and the checksums
 */
export async function packedFiles(): Promise<string> {
  const folder = inject("packed");
  const lock = await takeLock(`${folder}.lock`);
  try {
    if (existsSync(folder)) return folder;
    const draft = `${folder}.draft`;
    // Without the variables of the tests, of which NODE_ENV would change what is bundled.
    const { ended, lines } = run(repositoryRoot, [process.execPath, "scripts/pack.mjs", draft]);
    const { code } = await ended;
    if (code !== 0) throw new Error(`exit code ${code}:\n${lines.join("\n")}`);
    renameSync(draft, folder);
    return folder;
  } finally {
    lock.free();
  }
}

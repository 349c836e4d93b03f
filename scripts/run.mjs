// Shared by all commands: install, bundle, load the program into this process and run its `main`.
import { bundle } from "./bundle.mjs";
import { ensureInstalled, Remedy } from "./install.mjs";

/**
 * While nothing runs yet, a stop signal ends the preparation, and the process, successfully: nothing was lost.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} prepare
 */
async function interruptible(prepare) {
  const abort = new AbortController();
  const stop = () => abort.abort(new Interrupted());
  const names = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const name of names) process.on(name, stop);
  try {
    const result = await prepare(abort.signal);
    abort.signal.throwIfAborted();
    return result;
  } finally {
    for (const name of names) process.off(name, stop);
  }
}

class Interrupted extends Error {}

/**
 * Loads the program, which handles signals itself before it first waits, and calls its `main(args)` if it exports one instead of running by
 * itself. A Remedy is shown as one line; anything else is a bug and shown in full.
 * @param {string} entry TypeScript file, from the repository's root
 * @param {string[]} args
 * @param {() => Promise<void>} [prepare] what else has to be built
 */
export async function runProgram(entry, args, prepare = async () => {}) {
  await guard(async () => {
    const program = await interruptible(async (signal) => {
      await ensureInstalled({ signal });
      await prepare();
      const url = await bundle(entry);
      signal.throwIfAborted();
      process.setSourceMapsEnabled(true);
      return import(url);
    });
    await program.main?.(args);
  });
}

/** Installs what is missing, generates the types that are not in git, and then does the given work. */
export async function runInstalled(act) {
  await guard(async () => {
    await interruptible(async (signal) => {
      await ensureInstalled({ signal });
      // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
      const { ensureTypes } = await import("../packages/client/generate-types.mjs");
      await ensureTypes();
    });
    await act();
  });
}

async function guard(act) {
  try {
    await act();
  } catch (error) {
    if (error instanceof Interrupted) process.exit(0);
    if (error instanceof Remedy) console.error(error.message.startsWith("npm") ? error.message : `millrace: ${error.message}`);
    else console.error(error);
    process.exit(1);
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";

const folder = join(repositoryRoot, "packages/server/src/executors/programs");

/**
 * A shell program of this folder, read when the service starts, so that a later change of the checkout never mixes with the running
 * version. Its comments are removed: a program may be passed as one argument, which everyone on a machine can read in the list of
 * processes, or in a Secret with every attempt.
 * @param name of its file, without the ending
 */
export function shellProgram(name: string): string {
  return withoutComments(readFileSync(join(folder, `${name}.sh`), "utf8"));
}

/** Only whole lines: text after a command may not be a comment (`${text#0}`). Quoted texts must not contain a line that starts with `#`. */
export function withoutComments(program: string): string {
  return program.replace(/^[ \t]*(?:#.*)?\n/gm, "");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";

const folder = join(repositoryRoot, "packages/server/src/executors/programs");

/**
 * A shell program of this folder, read when the service starts, so that a later change of the checkout never mixes with what runs.
 * Its comments stay behind: a program may travel as one argument, which everyone on a machine can read in the list of processes,
 * or in a Secret with every attempt.
 * @param name of its file, without the ending
 */
export function shellProgram(name: string): string {
  return withoutComments(readFileSync(join(folder, `${name}.sh`), "utf8"));
}

/**
 * Whole lines alone: what follows a command on its line may not be a comment (`${text#0}`). No text in quotes may have a line that
 * begins with `#`.
 */
export function withoutComments(program: string): string {
  return program.replace(/^[ \t]*(?:#.*)?\n/gm, "");
}

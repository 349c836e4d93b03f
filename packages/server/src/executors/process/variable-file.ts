import { settableVariables, writeEnvironment } from "../steps/environment.ts";

/**
 * Variables that no shell can set: Tekton and Kubernetes allow names with dots and dashes, and a shell keeps `UID` or `IFS` for
 * itself. `env` would set them from its arguments, but these are for everyone on the machine to see, and the values may be
 * secrets. So for the rare step that has such a variable a small Node program reads all of them from the step's file and starts the
 * step. It leaves signals to the step, and ends as it ends.
 */
const starter = `
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { constants } = require("node:os");
const [file, program, ...args] = process.argv.slice(1);
const pairs = readFileSync(file, "utf8").split("\\0").slice(0, -1).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
spawn(program, args, { stdio: "inherit", env: Object.fromEntries(pairs) })
  .on("error", (error) => {
    const isMissing = error.code === "ENOENT";
    console.error(program + ": " + (isMissing ? "not found" : error.message));
    process.exit(isMissing ? 127 : 126);
  })
  .on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
`;

export interface StartWithVariables {
  /** Content of the file of the step's variables. */
  text: string;
  /** What the launcher reads as a shell script; undefined: it reads none. */
  environmentFile: string | undefined;
  argv: string[];
  /** For the log: variables that can't be set. */
  notes: string[];
}

/** @param place where the step sees Node and the file */
export function startWithVariables(
  variables: ReadonlyMap<string, string>,
  { node, file }: { node: string | undefined; file: string },
  program: readonly string[],
): StartWithVariables {
  const { file: text, oddOnes } = writeEnvironment(variables);
  if (oddOnes.size === 0) return { text, environmentFile: file, argv: [...program], notes: [] };
  if (node === undefined) {
    const notes = [...oddOnes.keys()].map((name) => `the variable "${name}" is not set: no shell can set it, and there is no Node here`);
    return { text, environmentFile: file, argv: [...program], notes };
  }
  // No name and no value has a NUL.
  const pairs = [...settableVariables(variables)].map(([name, value]) => `${name}=${value}\0`);
  return { text: pairs.join(""), environmentFile: undefined, argv: [node, "-e", starter, "--", file, ...program], notes: [] };
}

/**
 * Variables that no shell can set: Tekton and Kubernetes allow names with dots and dashes, and a shell keeps `UID` or `IFS` for itself. `env` would set
 * them from its arguments, but these are for everybody on the machine to see, and the values may be secrets. So for the rare step that has such a
 * variable a small Node program reads all of them from the step's file and starts the step. It leaves signals to the step, and ends as it ends.
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

/** The content of the file: no name and no value has a NUL. */
export function writeVariableFile(variables: ReadonlyMap<string, string>): string {
  return [...variables].map(([name, value]) => `${name}=${value}\0`).join("");
}

/** @param file its path as the step sees it */
export function startWithVariables(node: string, file: string, program: readonly string[]): string[] {
  return [node, "-e", starter, "--", file, ...program];
}

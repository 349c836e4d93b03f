#!/usr/bin/env node
/** The program `millrace`. Checks the version of Node before loading code that an older version can't parse. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `millrace: Millrace needs Node 20.19 or newer, this is ${process.versions.node}: install one from https://nodejs.org\n`,
  );
  process.exit(1);
}
// It is no failure if the reader, e.g. `head`, stops reading early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(process.argv.slice(2));

#!/usr/bin/env node
/** The program `millrace`. It looks at Node before it loads anything that an older one can't read. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `millrace: Millrace needs Node 20.19 or newer, this is ${process.versions.node}: install one from https://nodejs.org\n`,
  );
  process.exit(1);
}
// A reader such as `head` that has seen enough is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(process.argv.slice(2));

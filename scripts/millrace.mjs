// `npm run millrace -- run list`: the command line in a checkout, as the package installs it.
import { runProgram } from "./run.mjs";

await runProgram("packages/cli/src/millrace.ts", process.argv.slice(2));

// `node scripts/upgrade-dump.mjs`, once for each release: keeps a database of it, with work that waits, in packages/server/test/upgrade.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/test/processes/upgrade-dump-program.ts", process.argv.slice(2));

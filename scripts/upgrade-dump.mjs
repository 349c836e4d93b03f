// `node scripts/upgrade-dump.mjs`, once for each release: stores a database of it, with waiting work, in packages/server/test/upgrade.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/test/processes/upgrade-dump-program.ts", process.argv.slice(2));

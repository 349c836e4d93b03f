// `npm run db -- backup FILE | restore FILE`: moves all data out of a database, or into an empty one.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/db-command.ts", process.argv.slice(2));

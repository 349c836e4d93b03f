// `npm run admin -- reset-access | rotate-key`: for an operator with access to the service's machine.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/admin-command.ts", process.argv.slice(2));

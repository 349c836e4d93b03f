// `npm run admin -- reset-access | rotate-key`: for an operator at the machine of the service.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/admin-command.ts", process.argv.slice(2));

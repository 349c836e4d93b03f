// `npm run coverage -- FOLDER`: how many Task documents of a folder can be saved and run here, and the reasons for the others.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/coverage-command.ts", process.argv.slice(2));

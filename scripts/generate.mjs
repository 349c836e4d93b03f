// `npm run generate`: writes the files that are made from the code; with --check it only says which are not current.
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/generate.ts", process.argv.slice(2));

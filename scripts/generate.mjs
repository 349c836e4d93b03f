// `npm run generate`: writes the files that are generated from the code; with --check it only lists those that are not current.
import { runProgram } from "./run.mjs";

const args = process.argv.slice(2);
await runProgram("packages/server/src/generate.ts", args);
// After the API document, from which it is made.
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
const { ensureTypes } = await import("../packages/client/generate-types.mjs");
await ensureTypes();

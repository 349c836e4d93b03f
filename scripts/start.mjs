// `npm start`: installs and builds what is missing, then runs the service in this same process, so that signals reach it.
import { join } from "node:path";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { findTooFewFiles } from "./open-files.mjs";

// Before anything else is loaded: if the limit is too low, even that fails, with only a stack trace.
const tooFewFiles = findTooFewFiles();
if (tooFewFiles !== undefined) {
  console.error(`millrace: ${tooFewFiles}`);
  process.exit(1);
}
const { bundle } = await import("./bundle.mjs");
const { root } = await import("./install.mjs");
const { runProgram } = await import("./run.mjs");

await runProgram("packages/server/src/main.ts", process.argv.slice(2), async () => {
  // The service finds it beside its own bundle.
  await bundle("packages/server/src/heartbeat-thread.ts");
  const { buildPrograms } = await import("../packages/server/catalog/build-programs.mjs");
  await buildPrograms(join(root, "dist/programs"));
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { buildWeb } = await import("./build-web.mjs");
  await buildWeb(console.error);
});

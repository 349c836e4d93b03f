// `npm start`: installs and builds what is missing, then runs the service in this very process, so that signals reach it.
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { root } from "./install.mjs";
import { runProgram } from "./run.mjs";

await runProgram("packages/server/src/main.ts", process.argv.slice(2), async () => {
  // Found by the service beside its own bundle.
  await bundle("packages/server/src/heartbeat-thread.ts");
  const { buildPrograms } = await import("../packages/server/catalog/build-programs.mjs");
  await buildPrograms(join(root, "dist/programs"));
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { buildWeb } = await import("./build-web.mjs");
  await buildWeb();
});

import { makeJob } from "../../src/executors/exercise/scenario.ts";
import { createProcessExecutor } from "../../src/executors/process/process-executor.ts";
import type { LevelName } from "../../src/executors/process/settings.ts";

// Runs one endless job on the level in argv, prints what its executor says and then "ready", and waits to be killed.
const [scratchDir = "", level = "", script = ""] = process.argv.slice(2);
const silent = { info: () => undefined, warn: () => undefined };
const executor = await createProcessExecutor({
  scratchDir,
  allowUnsandboxed: true,
  allowSharedNetwork: true,
  graceMs: 100,
  log: silent,
  levels: [level as LevelName],
});
process.stdout.write(`${executor.describe().detail}\n`);
const { status, message } = await executor.start(makeJob(script), ({ text }) => void process.stdout.write(`${text}\n`)).done;
process.stdout.write(`${status} ${message}\n`);

import { makeJob } from "../../src/executors/exercise/scenario.ts";
import { createProcessExecutor } from "../../src/executors/process/process-executor.ts";
import type { LevelName } from "../../src/executors/process/settings.ts";

// Runs one job on the level in argv, an endless script or a function whose sandbox is then kept, prints what its executor says and its output, and
// waits to be killed.
const [scratchDir = "", level = "", script = "", kind = "script"] = process.argv.slice(2);
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
const keep = { definition: "task", withSecrets: false };
const job = kind === "function" ? makeJob([{ script, language: "javascript" }], { keep }) : makeJob(script);
const { status, message } = await executor.start(job, ({ text }) => void process.stdout.write(`${text}\n`)).done;
process.stdout.write(`${status} ${message}\n`);
if (kind === "function") setInterval(() => undefined, 60_000);

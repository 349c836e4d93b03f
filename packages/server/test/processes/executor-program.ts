import { makeJob } from "../../src/executors/exercise/scenario.ts";
import { createProcessExecutor } from "../../src/executors/process/process-executor.ts";
import type { LevelName } from "../../src/executors/process/settings.ts";

// Runs one job on the level in argv, an endless script (with volumes, or without) or a function whose sandbox is then kept, prints the
// messages of its executor and its output, and waits to be killed.
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
const volumes = [
  { name: "cache", scratch: { inMemory: false } },
  { name: "keys", files: [{ path: "inner/key", text: "hunter22-of-the-team", mode: 0o400 }] },
];
const mounts = [
  { volume: "cache", path: "/cache", readOnly: false },
  { volume: "keys", path: "/keys", readOnly: true },
  { volume: "keys", path: "/task/home/.keys", readOnly: true },
];
const jobs = {
  function: () => makeJob([{ script, language: "javascript" }], { keep }),
  volumes: () => makeJob([{ script, mounts }], { volumes, secrets: ["hunter22-of-the-team"] }),
  script: () => makeJob(script),
};
const job = jobs[kind as keyof typeof jobs]();
const { status, message } = await executor.start(job, ({ text }) => void process.stdout.write(`${text}\n`)).done;
process.stdout.write(`${status} ${message}\n`);
if (kind === "function") setInterval(() => undefined, 60_000);

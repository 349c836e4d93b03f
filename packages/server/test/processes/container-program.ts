import { linesOfBlock } from "../../src/core/log/log-lines.ts";
import type { TakeLines } from "../../src/engine/executor.ts";
import { createContainerExecutor } from "../../src/executors/container/container-executor.ts";
import { makeJob } from "../../src/executors/exercise/scenario.ts";
import { testImageRules, testOutbound } from "../kit/worker/executor-environment.ts";

// Runs jobs with the engine and the scratch folder in argv, prints the output of their steps behind the ID of the task run, and waits to be
// killed.
const [address = "", scratchDir = "", text = "[]"] = process.argv.slice(2);
const silent = { info: () => undefined, warn: () => undefined };
const executor = await createContainerExecutor({
  scratchDir,
  addresses: [address],
  imageRules: testImageRules,
  outbound: testOutbound,
  graceMs: 100,
  log: silent,
});
type Given = NonNullable<Parameters<typeof makeJob>[1]> & { steps: Parameters<typeof makeJob>[0]; taskRunId: string };
const jobs = JSON.parse(text) as Given[];
await Promise.all(
  jobs.map(async ({ steps, ...more }) => {
    const say = (what: string) => void process.stdout.write(`${more.taskRunId} ${what}\n`);
    const sayAll: TakeLines = (block) => {
      for (const line of linesOfBlock(block)) say(line.text);
    };
    const { status, message } = await executor.start(makeJob(steps, more), sayAll).done;
    say(`${status} ${message}`);
  }),
);

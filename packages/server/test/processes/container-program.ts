import { createContainerExecutor } from "../../src/executors/container/container-executor.ts";
import { makeJob } from "../../src/executors/exercise/scenario.ts";
import { testImageRules, testOutbound } from "../kit/worker/executor-environment.ts";

// Runs one job with the engine and the scratch folder in argv, prints the output of its steps, and waits to be killed.
const [address = "", scratchDir = "", text = "{}"] = process.argv.slice(2);
const silent = { info: () => undefined, warn: () => undefined };
const executor = await createContainerExecutor({
  scratchDir,
  addresses: [address],
  imageRules: testImageRules,
  outbound: testOutbound,
  graceMs: 100,
  log: silent,
});
const { steps, ...more } = JSON.parse(text) as Parameters<typeof makeJob>[1] & { steps: Parameters<typeof makeJob>[0] };
const { status, message } = await executor.start(makeJob(steps, more), ({ text: line }) => void process.stdout.write(`${line}\n`)).done;
process.stdout.write(`${status} ${message}\n`);

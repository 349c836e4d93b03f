import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { type Bench, makeJob, run } from "../../src/executors/exercise/scenario.ts";
import { createProcessExecutor } from "../../src/executors/process/process-executor.ts";
import type { LevelName } from "../../src/executors/process/settings.ts";
import { until } from "../kit/until.ts";
import { processSettings } from "../kit/worker/executor-environment.ts";

/**
 * A process of the service that runs out of a resource, with one more unit left each time: descriptors, or processes if the argument names the
 * control group that it is in. Prints the outcome of a job each time, as JSON, then whether it has recovered. If nothing runs in the first
 * place, it prints only that.
 */
const [scratchDir = "", level = "", mostLeft = "", group] = process.argv.slice(2);
const executor = await createProcessExecutor(processSettings(scratchDir, level as LevelName));
const play = () => run({ executor } as unknown as Bench, makeJob("echo fine > $RESULTS_PATH/said", { results: [{ name: "said" }] }));
const first = (await play()).outcome;
process.stdout.write(`${JSON.stringify({ status: first.status, message: first.message })}\n`);
if (first.status !== "succeeded") {
  // This level does not work here, so nothing can run out.
  await executor.close();
  process.exit();
}

for (let left = 0; left <= Number(mostLeft); left++) {
  await executor.settle();
  const giveBack = group === undefined ? takeDescriptors(left) : takeProcesses(group, left);
  const { outcome, texts } = await play();
  const { fault } = executor.describe();
  giveBack();
  const { status, message, results } = outcome;
  process.stdout.write(`${JSON.stringify({ left, status, message, results, fault, errors: texts() })}\n`);
}
await until(() => executor.describe().available, "the machine is well again", 20_000);
process.stdout.write(`${JSON.stringify({ status: (await play()).outcome.status })}\n`);
await executor.close();

function takeDescriptors(left: number): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    for (const descriptor of taken.splice(0, left)) closeSync(descriptor);
  }
  return () => {
    for (const descriptor of taken) closeSync(descriptor);
  };
}

function takeProcesses(folder: string, left: number): () => void {
  const now = Number(readFileSync(`${folder}/pids.current`, "utf8"));
  writeFileSync(`${folder}/pids.max`, String(now + left));
  return () => writeFileSync(`${folder}/pids.max`, "max");
}

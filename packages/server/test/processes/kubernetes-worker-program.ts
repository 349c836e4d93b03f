import { readFileSync } from "node:fs";
import type { Job } from "../../src/engine/executor.ts";
import { createKubernetesExecutor } from "../../src/executors/kubernetes/kubernetes-executor.ts";
import type { KubernetesExecutorSettings } from "../../src/executors/kubernetes/settings.ts";
import { testOutbound } from "../kit/worker/executor-environment.ts";

// A worker to be killed: runs the job of the file in argv with the settings there, and prints its messages.
const { job, settings }: { job: Job; settings: Omit<KubernetesExecutorSettings, "log" | "outbound"> } = JSON.parse(
  readFileSync(process.argv[2]!, "utf8"),
);
const executor = await createKubernetesExecutor({
  ...settings,
  outbound: testOutbound,
  log: { info: () => undefined, warn: () => undefined },
});
const { status, message } = await executor.start(job, ({ text }) => void process.stdout.write(`${text}\n`)).done;
process.stdout.write(`${status} ${message}\n`);

import type { Job } from "../../engine/executor.ts";
import { parameterText } from "../steps/environment.ts";
import { isFileName } from "../steps/step-names.ts";
import { type Attempt, writeFixed } from "./attempt-folder.ts";

/** Names of parameters become names of files; a name that can be none has its variable only. */
export async function writeParameters(job: Job, attempt: Attempt): Promise<void> {
  const files = job.params.filter(({ name }) => isFileName(name));
  await Promise.all(files.map(({ name, value }) => writeFixed(attempt, "params", name, parameterText(value))));
}

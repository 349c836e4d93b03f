import { expect, test } from "vitest";
import { createMasker } from "../../base/secret/mask.ts";
import { makeJob } from "../exercise/scenario.ts";
import { AttemptOutput } from "../steps/step-output.ts";
import { AttemptProgress } from "./attempt-progress.ts";
import { JobState } from "./job-state.ts";

test("a step that breaks connections and gives its results other names each time is not kept in memory for it", () => {
  const output = new AttemptOutput(createMasker([]), 1_000, () => undefined);
  const progress = new AttemptProgress(makeJob("true"), [], new JobState(), output, { graceMs: 0, scratchBytes: 0 });
  for (let connection = 1; connection <= 5; connection++) {
    progress.onRestart();
    progress.onResult(`a${connection}`, Buffer.from("1"));
    progress.onResult("b", Buffer.from("2"));
  }
  // What was read last counts until there is something else.
  progress.onRestart();
  expect([...progress.results.keys()]).toEqual(["a5", "b"]);
});

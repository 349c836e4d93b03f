import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diskScenarios } from "./exercise/disk.ts";
import { endingScenarios } from "./exercise/endings.ts";
import { escapeScenarios } from "./exercise/escapes.ts";
import { functionScenarios } from "./exercise/functions.ts";
import { isolationScenarios } from "./exercise/isolation.ts";
import { limitScenarios } from "./exercise/limits.ts";
import { neighbourScenarios } from "./exercise/neighbours.ts";
import { networkScenarios } from "./exercise/networks.ts";
import { outputScenarios } from "./exercise/output.ts";
import { outputFileScenarios } from "./exercise/output-files.ts";
import { resultScenarios } from "./exercise/results.ts";
import type { Bench } from "./exercise/scenario.ts";
import { sidecarScenarios } from "./exercise/sidecars.ts";
import { stepActionScenarios } from "./exercise/step-actions.ts";
import { stepValueScenarios } from "./exercise/step-values.ts";
import { stepScenarios } from "./exercise/steps.ts";
import { stopScenarios } from "./exercise/stopping.ts";
import { systemCallScenarios } from "./exercise/system-calls.ts";
import { volumeScenarios } from "./exercise/volumes.ts";
import { workspaceScenarios } from "./exercise/workspaces.ts";

export interface Exercise {
  /** For the report: the kind of executor, and what is special about this one. */
  name: string;
  create(): Promise<Bench & { close(): Promise<void> }>;
  /** Leaves out what does not depend on how a step is isolated: for variants of something that is exercised in full elsewhere. */
  isBrief?: boolean;
  /** Leaves out the scenarios marked `once`: for a further level of an executor that runs them at another level. */
  isFurther?: boolean;
  /** How many files run in parallel, and which one this is, from 0: each has its share of the scenarios. */
  share?: { of: number; at: number };
}

const heldScenarios = [
  ...stepScenarios,
  ...stepActionScenarios,
  ...stepValueScenarios,
  ...outputFileScenarios,
  ...functionScenarios,
  ...endingScenarios,
  ...workspaceScenarios,
  ...volumeScenarios,
  ...sidecarScenarios,
  ...isolationScenarios,
  ...escapeScenarios,
  ...systemCallScenarios,
  ...neighbourScenarios,
  ...networkScenarios,
];
const allScenarios = [...heldScenarios, ...resultScenarios, ...outputScenarios, ...stopScenarios, ...limitScenarios, ...diskScenarios];

/** The conformance suite: what every executor guarantees. Called inside a test file. */
export function exerciseExecutor({ name, create, isBrief = false, isFurther = false, share = { of: 1, at: 0 } }: Exercise): void {
  describe(`executor ${name}`, () => {
    let bench: Awaited<ReturnType<typeof create>>;
    beforeAll(async () => {
      bench = await create();
    });
    afterAll(() => bench.close());

    const scenarios = (isBrief ? heldScenarios : allScenarios).filter((_, index) => index % share.of === share.at);
    for (const scenario of scenarios) {
      if (isFurther && scenario.once === true) continue;
      test(scenario.name, async ({ skip }) => {
        if (scenario.needs !== undefined) skip(!bench.promises[scenario.needs], `this executor does not promise ${scenario.needs} here`);
        await scenario.check(bench, skip);
      });
    }

    test("nothing is left behind in the machine", async () => {
      expect(await bench.leftovers()).toEqual([]);
    });
  });
}

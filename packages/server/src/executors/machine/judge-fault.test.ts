import { expect, test } from "vitest";
import { findFaultBehind } from "./judge-fault.ts";
import type { KnownFault } from "./known-fault.ts";
import type { MachineWatch } from "./machine-watch.ts";

const noProcess: KnownFault = { code: "EAGAIN", words: "no process", detail: "no process" };

/** A machine whose test finds this. */
function machine(found: KnownFault | undefined) {
  let tests = 0;
  const confirm = async () => {
    tests += 1;
    return found;
  };
  const watch = { fault: undefined, confirm } as Partial<MachineWatch> as MachineWatch;
  return { watch, tests: () => tests };
}

test.for([
  { ended: "the launcher could not start the step", exitCode: 126, lastLines: ["step: /bin/sh: no process can be started for it"] },
  { ended: "the launcher has no memory", exitCode: 126, lastLines: ["step: there is no memory for its environment"] },
  { ended: "a shell could not fork", exitCode: 2, lastLines: ["/bin/sh: 1: Cannot fork"] },
  { ended: "a shell failed without a word", exitCode: 254, lastLines: [""] },
])("if $ended, the machine is tested, and is the cause only if the test fails", async ({ exitCode, lastLines }) => {
  const [short, sound] = [machine(noProcess), machine(undefined)];
  expect(await findFaultBehind(short.watch, { exitCode, lastLines, isOfSandbox: false })).toBe(noProcess);
  expect(await findFaultBehind(sound.watch, { exitCode, lastLines, isOfSandbox: false })).toBeUndefined();
  expect([short.tests(), sound.tests()]).toEqual([1, 1]);
});

test("any other end of a step is its own, and the machine is not tested", async () => {
  const { watch, tests } = machine(noProcess);
  for (const [exitCode, line] of [
    [1, "no such host"],
    [126, "step: /data/run: Permission denied"],
  ] as const)
    expect(await findFaultBehind(watch, { exitCode, lastLines: [line], isOfSandbox: false })).toBeUndefined();
  expect(tests()).toBe(0);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findInheritedFiles } from "./inherited-files.ts";
import { findTools } from "./isolation/tools.ts";
import { createOutputPipes, type OutputPipe } from "./output-pipes.ts";
import { killUntilGone, readProcessTable, signalProcess } from "./process-table.ts";
import { createSpawner } from "./spawner.ts";
import { startStepProcess } from "./step-process.ts";

const folder = await mkdtemp(join(tmpdir(), "millrace-step-"));
const pipes = createOutputPipes(folder);
const spawner = createSpawner(findInheritedFiles(), findTools().setpriv);
afterAll(async () => {
  spawner.close();
  await rm(folder, { recursive: true });
});

/** A step whose leftovers can't be found. @param onOutput gets the reader when the step has started */
function startScript(script: string, onOutput: (reader: OutputPipe["reader"]) => void) {
  return startStepProcess({
    launch: { file: "/bin/sh", args: ["-c", script] },
    pipes,
    spawner,
    onOutput,
    findProcesses: async () => [],
    killAll: async (root) => signalProcess(root, "SIGKILL"),
    killLeftovers: async () => undefined,
    killUnknown: async () => undefined,
  });
}

async function endGroup(pid: number): Promise<void> {
  await killUntilGone(async () =>
    (await readProcessTable()).filter(({ group, isZombie }) => group === pid && !isZombie).map((one) => one.pid),
  );
}

describe("the output of a step that has ended", () => {
  // Far longer than needed: earlier, such a step ended after ten minutes.
  test.each([
    ["now and then", "while :; do echo x; sleep 0.05; done"],
    ["all the time", "exec yes"],
  ])("is not waited for if an unknown process writes %s", { timeout: 30_000 }, async (_, writer) => {
    let text = "";
    const step = startScript(`echo "pid $$ "; (${writer}) & exit 3`, (reader) => {
      reader.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(0, 100))).resume();
    });
    try {
      expect(await step.ended).toEqual({ exitCode: 3 });
    } finally {
      await endGroup(Number(/^pid (\d+) /.exec(text)?.[1]));
    }
  });

  test("is read to its end, however slow the reader is", async () => {
    let length = 0;
    const step = startScript("head -c 40000 /dev/zero; head -c 3000000 /dev/zero; echo last", (reader) => {
      reader.on("data", (chunk: Buffer) => {
        length += chunk.length;
        reader.pause();
        setImmediate(() => reader.resume());
      });
      reader.resume();
    });
    expect(await step.ended).toEqual({ exitCode: 0 });
    expect(length).toBe(3_040_005);
  });
});

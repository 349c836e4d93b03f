import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ContainerBench, openContainerBench, openSocketUserBench } from "../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { taskImageName } from "../../../test/kit/container/task-image.ts";
import { makeJob, run } from "../exercise/scenario.ts";
import { countEntries } from "./root-watch.ts";

const image = "localhost/millrace-open:1";
const writes = (prepare: string): string => `#!/usr/bin/env python3
import os, time
os.chdir("/open")
${prepare}
while True:
    os.write(file, b"x" * (1 << 20))
    time.sleep(0.02)
`;
const emptyFiles = '#!/usr/bin/env python3\nimport time\nfor i in range(10500): open(f"/open/{i}", "w")\ntime.sleep(1000)';
const open = 'file = os.open("big", os.O_CREAT | os.O_WRONLY)';

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`the disk of ${kind} is not filled by a step that may write to its root`, () => {
    let bench: ContainerBench;
    beforeAll(async () => {
      bench = await openContainerBench(tier.engine);
      await makeOpenImage(tier.engine);
    }, 60_000);
    afterAll(() => bench?.close());

    test("by a service that may not read the folders of the engine: with empty files", { timeout: 120_000 }, async () => {
      const ofUser = await openSocketUserBench(tier.engine);
      onTestFinished(() => ofUser.close());
      const { outcome } = await run(ofUser, makeJob([{ image, hasWritableRoot: true, script: emptyFiles }], { timeoutMs: 60_000 }));
      expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull", message: expect.stringContaining("10000 files") });
    });

    test.each([
      ["in a file", writes(open)],
      ["in a file that was deleted and is still open", writes(`${open}\nos.unlink("big")`)],
      ["in a file deeper than any path can say", writes(`for _ in range(60):\n    os.mkdir("d" * 100); os.chdir("d" * 100)\n${open}`)],
      ["with empty files", emptyFiles],
    ])("%s", { timeout: 60_000 }, async (_, script) => {
      const { outcome } = await run(bench, makeJob([{ image, hasWritableRoot: true, script }], { timeoutMs: 30_000 }));
      expect(outcome).toMatchObject({
        status: "failed",
        reason: "WorkspaceFull",
        message: expect.stringContaining("its writable layer contains"),
      });
      await bench.executor.settle();
      expect(await bench.leftovers()).toEqual([]);
    });

    test("by several sidecars, each with less than a task may have", { timeout: 60_000 }, async () => {
      const script = "head -c 18000000 /dev/zero > /open/big; sleep 1000";
      const sidecars = ["one", "two"].map((name) => ({ name, image, hasWritableRoot: true, script }));
      const { outcome } = await run(bench, makeJob("sleep 30", { sidecars, timeoutMs: 40_000 }));
      expect(outcome).toMatchObject({
        status: "failed",
        reason: "WorkspaceFull",
        message: expect.stringMatching(/the writable layer of sidecar "(one|two)" contains .* more than the 14 MiB allowed/),
      });
    });
  });
}

describe("the list of what a container has changed", () => {
  const list = JSON.stringify([
    ...Array.from({ length: 5 }, (_, index) => ({ Path: `/open/${index}`, Kind: 1 })),
    { Path: '/open/"Kind":', Kind: 0 },
  ]);

  test.each([1, 7, 64, list.length])(
    "is counted correctly in pieces of %i bytes, without text that only looks like an entry",
    async (size) => {
      const pieces = list.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
      expect(await countEntries(Readable.from(pieces.map((piece) => Buffer.from(piece))), 100)).toBe(6);
    },
  );

  test("is read only as far as its entries count", async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.from(`{"Path":"/${sent++}","Kind":1},`);
      })(),
    );
    expect(await countEntries(endless, 50)).toBe(51);
    expect([endless.destroyed, sent < 200]).toEqual([true, true]);
  });
});

/** The image of tests, with a folder that everyone can write to. */
async function makeOpenImage({ docker }: ContainerEngine): Promise<void> {
  const maker = await docker.createContainer({
    Image: taskImageName,
    Cmd: ["mkdir", "-m", "1777", "/open"],
    HostConfig: { NetworkMode: "none" },
  });
  await maker.start();
  await maker.wait();
  await maker.commit({ repo: "localhost/millrace-open", tag: "1" });
  await maker.remove();
}

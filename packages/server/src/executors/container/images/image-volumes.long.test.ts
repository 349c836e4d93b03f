import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { type ContainerBench, openContainerBench } from "../../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../../test/kit/container/container-tier.ts";
import { taskImage } from "../../../../test/kit/container/task-image.ts";
import { makeJob, run } from "../../exercise/scenario.ts";
import { createAttempt } from "../../folders/attempt-folder.ts";
import { coverVolumes } from "./image-volumes.ts";

describe("volumes that an image declares", () => {
  const attemptOf = async () => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-volumes-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    return createAttempt(folder, "a", undefined);
  };
  const mounts = [
    { source: "/s/writable/tmp", target: "/tmp", isReadOnly: false },
    { source: "/s/fixed/params", target: "/params", isReadOnly: true },
  ];

  test("get one folder of the attempt each, unless a mount already covers them", async () => {
    const attempt = await attemptOf();
    const covered = coverVolumes(attempt, 1, ["/vol", "/vol/", "/a/../b", "/tmp", "/params/"], mounts);
    expect(covered.map(({ target }) => target)).toEqual(["/vol", "/b"]);
    for (const { source, isReadOnly } of covered) {
      expect(source.startsWith(`${attempt.writable}/volume-1-`)).toBe(true);
      expect([statSync(source).isDirectory(), isReadOnly]).toEqual([true, false]);
    }
    expect(coverVolumes(attempt, 2, ["/vol"], mounts)[0]?.source).not.toBe(covered[0]?.source);
  });

  test("are created again if a worker died before the container was created", async () => {
    const attempt = await attemptOf();
    const [before] = coverVolumes(attempt, 1, ["/vol"], mounts);
    const [after] = coverVolumes(attempt, 1, ["/vol"], mounts);
    expect(after).toEqual(before);
    expect(statSync(after?.source ?? "").isDirectory()).toBe(true);
  });

  test.each([
    [["/"], "is its root"],
    [["//", "/x"], "is its root"],
    [["/tmp/deep"], "is in a folder of the task"],
    [["/x", "vol/deep"], '"vol/deep", which is no absolute path'],
    [[""], "no absolute path"],
    [Array.from({ length: 51 }, (_, index) => `/v${index}`), "51 volumes"],
  ])("%j are refused", async (paths, why) => {
    const attempt = await attemptOf();
    expect(() => coverVolumes(attempt, 0, paths, mounts)).toThrow(why);
  });
});

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`volumes of images, with ${kind}`, () => {
    let bench: ContainerBench | undefined;
    afterAll(() => bench?.close());

    test("count for the limits of the attempt, and none is left behind", { timeout: 120_000 }, async () => {
      bench = await openContainerBench(tier.engine);
      const image = await imageWith(tier.engine, ["/vol", "/etc/deep", "/task/work", "/tmp"]);
      const volumes = async () => (await tier.engine.docker.listVolumes()).Volumes?.length ?? 0;
      const before = await volumes();
      const small = "echo kept > /vol/file; cat /vol/file; ls -A /etc/deep | wc -l";
      const { outcome, texts } = await run(
        bench,
        makeJob([
          { name: "a", image, script: small },
          { name: "b", image, script: "ls -A /vol | wc -l" },
        ]),
      );
      expect([outcome.status, texts()]).toEqual(["succeeded", ["kept", "0", "0"]]);
      const filled = await run(
        bench,
        makeJob([{ name: "a", image, script: "head -c 60000000 /dev/zero > /vol/big; sleep 20; echo survived" }]),
      );
      expect(filled.outcome.status).toBe("failed");
      expect(filled.outcome.message).toContain("scratch folder contains");
      expect(await bench.leftovers()).toEqual([]);
      expect(await volumes()).toBe(before);
    });
  });
}

/** The image of tests, with these volumes. */
async function imageWith({ docker }: ContainerEngine, paths: readonly string[]): Promise<string> {
  const { name } = await taskImage();
  const container = await docker.createContainer({ Image: name, Cmd: ["true"] });
  await container.commit({ repo: "localhost/with-volumes", tag: "1", changes: paths.map((path) => `VOLUME ${path}`).join("\n") });
  await container.remove({ v: true });
  return "localhost/with-volumes:1";
}

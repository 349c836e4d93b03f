import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ImageRegistry, startImageRegistry } from "../../../test/fakes/image-registry.ts";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { makeJob, run } from "../exercise/scenario.ts";

/** Why an image can't be pulled, as reported by each engine: at once, and never mistaken for an unreachable engine. */
for (const kind of ["docker", "podman"] as const) {
  const { engine, describe } = await openContainerTier(kind, { diskBytes: 400 << 20 });
  const host = "127.0.0.1:5000";
  let registry: ImageRegistry;
  let bench: ContainerBench;

  const pull = async (image: string, more: object = {}) => {
    const beganAt = performance.now();
    const { outcome } = await run(bench, makeJob([{ name: "build", image, command: ["/nothing"], ...more }]));
    return { ...outcome, seconds: (performance.now() - beganAt) / 1000 };
  };
  const failed = { status: "failed", reason: "ImagePullFailed" };

  describe(`why ${kind} can't have an image`, () => {
    beforeAll(async () => {
      registry = await startImageRegistry({ address: "127.0.0.1", port: 5000, network: engine.networkName, credentials: "reader:secret" });
      const imageRules = { registries: [host, "127.0.0.1:5001", "nohost.example"], localImages: ["localhost/*"] };
      bench = await openContainerBench(engine, { imageRules, registryMs: 4_000 });
    });
    afterAll(async () => {
      await bench?.close();
      await registry?.close();
    });

    test.each([
      ["a registry where nothing listens", "127.0.0.1:5001/a:1", "the registry 127.0.0.1:5001 can't be reached: nothing listens there"],
      ["a name that nobody knows", "nohost.example/a:1", "the registry nohost.example can't be reached: its name can't be resolved"],
      ["a registry that is silent", `${host}/slow/image:1`, `the registry ${host} can't be reached: it does not answer`],
      ["a repository for those with credentials", `${host}/closed/a:1`, "or requires credentials; check the name, or add credentials in"],
      ["an image that is missing", `${host}/nobody/a:1`, `the registry ${host} does not have it`],
      ["a digest that is missing", `${host}/open/a@sha256:${"0".repeat(64)}`, `the registry ${host} does not have it`],
      ["an image for another platform", `${host}/foreign/a:1`, "it has no variant for the platform of the container engine"],
    ])("%s", async (_what, image, words) => {
      const { seconds, ...outcome } = await pull(image);
      expect(outcome).toMatchObject(failed);
      expect(outcome.message).toContain(`the image ${image} can't be pulled: `);
      expect(outcome.message).toContain(words);
      expect(seconds).toBeLessThan(10);
    });

    // Podman itself waits a minute after such a response, without reporting anything.
    test.skipIf(kind === "podman")("a registry that gave out enough", async () => {
      const outcome = await pull(`${host}/limited/a:1`);
      expect(outcome).toMatchObject(failed);
      expect(outcome.message).toContain(`the registry ${host} allows no more pulls for now; wait, or add credentials`);
    });

    test("a missing local image, or one that is never pulled, is reported without a registry", async () => {
      const digest = `sha256:${"0".repeat(64)}`;
      for (const image of [`localhost/gone@${digest}`, "localhost/gone:1"])
        expect((await pull(image)).message).toBe(
          `the local image ${image} is not on the machine of the container engine; build or load it there`,
        );
      const image = `${host}/slow/gone@${digest}`;
      expect((await pull(image, { pullPolicy: "Never" })).message).toContain("its pull policy is Never");
      expect(registry.requestsFor("slow/gone")).toEqual([]);
    });

    test("a full disk is the engine's, not the registry's", async () => {
      const filler = join(engine.folder, "data", "filler");
      const { bavail, bsize } = await statfs(join(engine.folder, "data"));
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      const outcome = await pull(`${host}/open/large:1`);
      await rm(filler);
      expect(outcome).toMatchObject({ status: "lost", reason: "MachineFault" });
      expect(outcome.message).toContain("the disk of the container engine is full; free some space there");
      expect(outcome.message).not.toContain(`the registry ${host}`);
    });
  });
}

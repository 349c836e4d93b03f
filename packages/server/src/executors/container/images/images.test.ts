import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ImageRegistry, startImageRegistry } from "../../../../test/fakes/image-registry.ts";
import { type ContainerBench, openContainerBench } from "../../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../../test/kit/container/container-tier.ts";
import { until } from "../../../../test/kit/until.ts";
import { makeJob, run, startJob } from "../../exercise/scenario.ts";

/** Where images come from, with a registry that requires a password, lacks some images, and responds slowly. */
const tier = await openContainerTier("docker");
const { engine } = tier;
const password = "s3cr3t-of-the-registry";
let registry: ImageRegistry;
let bench: ContainerBench;

tier.describe("images of steps", () => {
  beforeAll(async () => {
    const where = { address: "127.0.0.1", port: 5000, network: engine.networkName };
    registry = await startImageRegistry({ ...where, credentials: `reader:${password}` });
    bench = await openContainerBench(engine, { registriesPath: await writeCredentials("right", password) });
  });
  afterAll(async () => {
    await bench?.close();
    await registry?.close();
  });

  const job = (image: string, more: object = {}) => makeJob([{ name: "build", image, command: ["/nothing"], ...more }]);

  test("an image that is missing is reported with the words of the registry", async () => {
    const image = `${registry.host}/nobody/has:this`;
    const { outcome, texts } = await run(bench, job(image));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
    expect(outcome.message).toContain(`the image ${image} can't be pulled`);
    expect(outcome.message).toContain("manifest unknown");
    expect(texts("system")).toEqual([`pulls the image ${image}`]);
  });

  test("an image that must not be pulled is not pulled, and a present one needs no registry", async () => {
    const { outcome } = await run(bench, job(`${registry.host}/open/never:1`, { pullPolicy: "Never" }));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
    expect(outcome.message).toContain("its pull policy is Never");
    expect((await run(bench, makeJob("true"))).outcome.status).toBe("succeeded");
    expect(registry.requestsFor("open/never")).toEqual([]);
  });

  test("an image is pulled once for all that wait for it, and its digest and the waiting are on record", async () => {
    const image = `${registry.host}/open/shared:1`;
    const all = await Promise.all(Array.from({ length: 5 }, () => run(bench, job(image))));
    for (const { outcome } of all) {
      expect(outcome).toMatchObject({ reason: "CommandNotFound" });
      expect(outcome.place?.images).toEqual([{ step: "build", image, digest: `${registry.host}/open/shared@${registry.digest}` }]);
      expect(outcome.waits?.imagePullMs).toBeGreaterThan(0);
      expect(outcome.waits?.startMs).toBeGreaterThan(0);
    }
    expect(
      registry.requests.filter((line) => line.includes("/open/shared/manifests/1") && line.startsWith("GET")).length,
    ).toBeLessThanOrEqual(1);
    // The first pull had credentials; from here on it is recorded that the image is public.
    await run(bench, job(image));
    const again = await run(bench, job(image));
    expect(again.outcome.waits?.imagePullMs).toBeUndefined();
    expect(again.texts("system")).toEqual([]);
  });

  test("an image with the policy Always is pulled again", async () => {
    const image = `${registry.host}/open/fresh:1`;
    await run(bench, job(image));
    const before = registry.requests.length;
    await run(bench, job(image, { pullPolicy: "Always" }));
    expect(registry.requests.length).toBeGreaterThan(before);
  });

  test("a digest is enforced: the right one runs, a wrong one is refused", async () => {
    const right = `${registry.host}/open/pinned@${registry.digest}`;
    const { outcome } = await run(bench, job(right));
    expect(outcome.reason).toBe("CommandNotFound");
    expect(outcome.place?.images?.[0]?.digest).toBe(right);
    const wrong = await run(bench, job(`${registry.host}/open/pinned@sha256:${"0".repeat(64)}`));
    expect(wrong.outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
  });

  test("an invalid image name is reported", async () => {
    const { outcome } = await run(bench, job("Not an image"));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
    expect(outcome.message).toMatch(/"Not an image" is not the name of an image/);
  });

  test("a registry that asks for a password gets the one of its file", async () => {
    const { outcome } = await run(bench, job(`${registry.host}/closed/inner:1`));
    expect(outcome.reason).toBe("CommandNotFound");
  });

  test("a registry that refuses is reported, without the password", async () => {
    const wrong = await openContainerBench(engine, { registriesPath: await writeCredentials("wrong", "wr0ng-password") });
    const image = `${registry.host}/closed/other:1`;
    const { outcome, lines } = await run(wrong, job(image));
    expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
    expect(outcome.message).toContain(`the image ${image} can't be pulled: the registry ${registry.host} refuses the credentials for it`);
    expect(`${outcome.message}${JSON.stringify(lines)}`).not.toContain("wr0ng-password");
    await wrong.close();
  });

  test("a file of credentials that can't be used stops the start", async () => {
    const path = join(engine.folder, "broken.json");
    await writeFile(path, '{"auths": "s3cr3t');
    await expect(openContainerBench(engine, { registriesPath: path })).rejects.toThrow(
      `MILLRACE_CONTAINER_REGISTRIES names ${path}, which can't be used`,
    );
  });

  test("a pull of an image can be cancelled", async () => {
    const handle = startJob(bench, job(`${registry.host}/slow/image:1`), () => undefined);
    await until(() => registry.requests.some((line) => line.includes("/slow/image/manifests/")), "the engine asks for the image");
    handle.stop("cancelled", 10_000);
    expect(await handle.done).toMatchObject({ status: "cancelled", message: "cancelled before its first step began" });
    expect(await bench.leftovers()).toEqual([]);
  });
});

async function writeCredentials(name: string, given: string): Promise<string> {
  const path = join(engine.folder, `${name}.json`);
  const auth = Buffer.from(`reader:${given}`).toString("base64");
  await writeFile(path, JSON.stringify({ auths: { [`http://${registry.host}/v2/`]: { auth } } }), { mode: 0o600 });
  return path;
}

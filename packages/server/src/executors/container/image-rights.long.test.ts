import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ImageRegistry, startImageRegistry } from "../../../test/fakes/image-registry.ts";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { taskImageName } from "../../../test/kit/container/task-image.ts";
import { makeJob, run } from "../exercise/scenario.ts";

/** Which teams may use which images of an engine: teams share the engine but not each other's images. */
for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  const { engine } = tier;
  const password = "s3cr3t-of-the-registry";
  let registry: ImageRegistry;
  let bench: ContainerBench;
  let registriesPath: string;

  /** By default, the credentials are those of one team only. */
  const writeCredentials = async (given: string, teams: unknown = ["team-1"]): Promise<void> => {
    const auth = Buffer.from(`reader:${given}`).toString("base64");
    await writeFile(registriesPath, JSON.stringify({ auths: { [registry.host]: { auth, teams } } }), { mode: 0o600 });
  };
  const open = () => openContainerBench(engine, { registriesPath, imageRules: rules });
  const job = (image: string, teamId: string, pullPolicy?: "Always" | "IfNotPresent" | "Never") =>
    makeJob([{ name: "build", image, command: ["/nothing"], ...(pullPolicy && { pullPolicy }) }], { teamId });
  /** The image has no program, so a step that ran ended with this. */
  const ran = { reason: "CommandNotFound" };
  const refused = { status: "failed", reason: "ImagePullFailed" };
  const address = { address: "127.0.0.1", port: 5000 };
  const rules = { registries: [`${address.address}:${address.port}`], localImages: ["localhost/*"] };

  const startRegistry = () => startImageRegistry({ ...address, network: engine.networkName, credentials: `reader:${password}` });

  tier.describe(`images of teams that share ${kind}`, () => {
    beforeAll(async () => {
      registry = await startRegistry();
      registriesPath = join(engine.folder, "teams.json");
      await writeCredentials(password);
      bench = await open();
    });
    afterAll(async () => {
      await bench?.close();
      await registry?.close();
    });

    test("an image pulled with one team's credentials is not available to others, whatever their pull policy", async () => {
      const image = `${registry.host}/closed/own:1`;
      expect((await run(bench, job(image, "team-1"))).outcome).toMatchObject(ran);
      for (const policy of [undefined, "IfNotPresent", "Never", "Always"] as const)
        expect((await run(bench, job(image, "team-2", policy))).outcome, policy).toMatchObject(refused);
      const byDigest = `${registry.host}/closed/own@${registry.digest}`;
      expect((await run(bench, job(byDigest, "team-2"))).outcome).toMatchObject(refused);
      const before = registry.requests.length;
      for (const policy of ["IfNotPresent", "Never"] as const)
        expect((await run(bench, job(image, "team-1", policy))).outcome, policy).toMatchObject(ran);
      expect(registry.requests.length, "the registry was asked each time").toBeGreaterThanOrEqual(before + 2);
    });

    test("credentials that the registry no longer accepts give no access, also to images that are present", async () => {
      const image = `${registry.host}/closed/revoked:1`;
      expect((await run(bench, job(image, "team-1"))).outcome).toMatchObject(ran);
      await writeCredentials("wr0ng-password");
      const { outcome } = await run(bench, job(image, "team-1", "IfNotPresent"));
      await writeCredentials(password);
      expect(outcome).toMatchObject(refused);
      expect(outcome.message).not.toContain("wr0ng-password");
      const never = await run(bench, job(`${registry.host}/closed/none:1`, "team-1", "Never"));
      expect(never.outcome).toMatchObject(refused);
    });

    test("a public image is checked at the registry once, also with several workers", async () => {
      const image = `${registry.host}/open/common:1`;
      expect((await run(bench, job(image, "team-2"))).outcome).toMatchObject(ran);
      const before = registry.requestsFor("open/common").length;
      expect((await run(bench, job(image, "team-3", "Never"))).outcome).toMatchObject(ran);
      const another = await open();
      expect((await run(another, job(image, "team-4"))).outcome).toMatchObject(ran);
      await another.close();
      expect(registry.requestsFor("open/common").length).toBe(before);
    });

    test("while the registry is down a private image is refused with the reason, and public ones run", async () => {
      const [closed, common] = [`${registry.host}/closed/away:1`, `${registry.host}/open/away:1`];
      expect((await run(bench, job(closed, "team-1"))).outcome).toMatchObject(ran);
      expect((await run(bench, job(common, "team-1"))).outcome).toMatchObject(ran);
      await registry.close();
      const { outcome } = await run(bench, job(closed, "team-1", "IfNotPresent"));
      expect(outcome).toMatchObject(refused);
      expect(outcome.message).toContain(`the registry ${registry.host} can't be reached: nothing listens there`);
      // It was pulled with credentials and so isn't recorded as public: the first check needs the registry.
      registry = await startRegistry();
      expect((await run(bench, job(common, "team-1"))).outcome).toMatchObject(ran);
      await registry.close();
      expect((await run(bench, job(common, "team-2", "IfNotPresent"))).outcome).toMatchObject(ran);
      registry = await startRegistry();
    });

    test("a local image without the name of a registry runs only if the operator lists it", async () => {
      const name = "docker.io/acme/built-here:1";
      await tag(name);
      for (const policy of ["IfNotPresent", "Never"] as const) {
        const { outcome } = await run(bench, job(name, "team-1", policy));
        expect(outcome).toMatchObject(refused);
        expect(outcome.message).toContain("MILLRACE_IMAGE_REGISTRIES does not list it");
      }
      const listing = (localImages: string[], registries = rules.registries) =>
        openContainerBench(engine, { registriesPath, imageRules: { registries, localImages } });
      const open = await listing(["localhost/*"], ["docker.io"]);
      const { outcome } = await run(open, job(name, "team-1", "Never"));
      expect(outcome).toMatchObject(refused);
      expect(outcome.message).toContain("MILLRACE_LOCAL_IMAGES");
      await open.close();
      const listed = await listing(["acme/built-here"]);
      expect((await run(listed, job(name, "team-1", "Never"))).outcome).toMatchObject(ran);
      await listed.close();
    });

    test("no image is found by its id, in full or shortened, nor by a part of its name", async () => {
      const { Id } = await engine.docker.getImage(taskImageName).inspect();
      const digits = Id.replace("sha256:", "");
      for (const image of [Id, `sha256:${digits}`, `sha256:${digits.slice(0, 12)}`, digits]) {
        const { outcome } = await run(bench, job(image, "team-1", "Never"));
        expect(outcome, image).toMatchObject(refused);
        expect(outcome.message).toContain("is the id of an image; use its name");
      }
      for (const image of [digits.slice(0, 12), digits.slice(0, 4), "millrace-test:1", `localhost/millrace-test@${Id}`, `x@${Id}`])
        expect((await run(bench, job(image, "team-1", "Never"))).outcome, image).toMatchObject(refused);
    });

    test("an image's name never makes the engine contact a host that is not listed", async () => {
      for (const host of ["localhost:5000", "127.1:5000", "[::1]:5000", "169.254.169.254", "172.30.0.1:5000", "2130706433:5000"])
        expect((await run(bench, job(`${host}/open/x:1`, "team-1"))).outcome, host).toMatchObject(refused);
      expect(registry.requestsFor("open/x")).toEqual([]);
    });

    test("an invalid list of teams prevents the start", async () => {
      await writeCredentials(password, "team-1");
      await expect(open()).rejects.toThrow(`"teams" of ${registry.host} must be an array with the ids of teams`);
      await writeCredentials(password);
    });
  });

  async function tag(name: string): Promise<void> {
    const [, repo = "", version = ""] = /^(.*):([^:/]+)$/.exec(name) ?? [];
    await engine.docker.getImage(taskImageName).tag({ repo, tag: version });
  }
}

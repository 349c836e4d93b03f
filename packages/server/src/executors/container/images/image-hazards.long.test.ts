import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ImageRegistry, startImageRegistry } from "../../../../test/fakes/image-registry.ts";
import { type ContainerBench, openContainerBench } from "../../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../../test/kit/container/container-tier.ts";
import { taskImage } from "../../../../test/kit/container/task-image.ts";
import { makeJob, run, startUntil } from "../../exercise/scenario.ts";
import { honouredAnnotations, requireOwnVariables } from "./image-hazards.ts";

const exec = promisify(execFile);

describe("annotations of an image", () => {
  test.each([
    "run.oci.seccomp_bpf_data",
    "run.oci.hooks.stdout",
    "org.systemd.property.MemoryMax",
    "io.katacontainers.config.x",
    "krun.cpus",
    "io.kubernetes.cri-o.SandboxID",
    "io.kubernetes.cri.container-type",
    "io.podman.annotations.cid-file",
  ])("%s is for the runtime", (name) => {
    for (const of of ["image", "container"] as const) expect(honouredAnnotations({ [name]: "1" }, of)).toEqual([name]);
  });

  test("that only describe it are harmless, and so are those that Podman writes", () => {
    const plain = { "org.opencontainers.image.title": "x", "com.docker.official-images.bashbrew.arch": "x" };
    const own = { "io.container.manager": "libpod", "org.opencontainers.image.stopSignal": "15", "io.podman.annotations.init": "FALSE" };
    const more = { "io.kubernetes.cri-o.TTY": "false", "io.kubernetes.cri-o.Created": "x", "io.podman.annotations.autoremove": "FALSE" };
    expect(honouredAnnotations({ ...plain, ...own, ...more }, "container")).toEqual([]);
    expect(honouredAnnotations(plain, "image")).toEqual([]);
    expect(honouredAnnotations(undefined, "image")).toEqual([]);
  });

  test("that Podman writes on a container are not an image's to write", () => {
    expect(honouredAnnotations({ "io.podman.annotations.autoremove": "TRUE" }, "image")).toEqual(["io.podman.annotations.autoremove"]);
  });
});

describe("variables of an image", () => {
  test("without a value are refused, since an engine fills them from its own", () => {
    for (const variables of [["PATH=/bin", "*"], ["TOKEN"], ["AWS_*", "A=1"]])
      expect(() => requireOwnVariables("i", variables)).toThrow(/variables without a value/);
    for (const variables of [undefined, null, [], ["PATH=/bin", "EMPTY=", "ODD=*"]])
      expect(() => requireOwnVariables("i", variables)).not.toThrow();
  });
});

/** What an image can do with the rights of the engine, before a program of it runs or beside the step. */
for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  const { engine } = tier;
  let bench: ContainerBench;
  let registry: ImageRegistry;
  const address = { address: "127.0.0.1", port: 5000 };
  const job = (image: string, teamId: string) => makeJob([{ name: "build", image, command: ["/nothing"] }], { teamId });

  tier.describe(`what images bring for ${kind} itself`, () => {
    beforeAll(async () => {
      registry = await startImageRegistry({ ...address, network: engine.networkName });
      bench = await openContainerBench(engine, { imageRules: { registries: ["127.0.0.1:5000"], localImages: ["localhost/*"] } });
    }, 60_000);
    afterAll(async () => {
      await bench?.close();
      await registry?.close();
    });

    test.each(["passwd", "group"])("a pipe for /etc/%s, which the engine would wait for, is refused before the start", async (file) => {
      const image = await importPipe(engine, file);
      const { outcome } = await run(bench, makeJob([{ name: "build", image, command: ["/bin/true"] }], { timeoutMs: 20_000 }));
      expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
      expect(outcome.message).toContain(`its /etc/${file} is not a file`);
      await bench.executor.settle();
      expect(await bench.leftovers()).toEqual([]);
      expect((await run(bench, makeJob("true"))).outcome.status).toBe("succeeded");
    });

    test.each<[string, ImportOptions, string]>([
      [
        "a large /etc/group, which the engine would read line by line",
        { file: "group", bytes: 1_048_577 },
        "its /etc/group has 1048577 bytes",
      ],
      ["a folder for /etc/passwd", { file: "passwd/x", bytes: 1 }, "its /etc/passwd is not a file"],
    ])("%s is refused before the start", async (_, options, why) => {
      const image = await importFile(engine, options);
      const { outcome } = await run(bench, makeJob([{ name: "build", image, command: ["/bin/true"] }], { timeoutMs: 20_000 }));
      expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed", message: expect.stringContaining(why) });
    });

    test.each([
      ["etc/passwd", "../task/work/passwd", "/etc/passwd to /task/work/passwd"],
      ["tekton", "/workspace/w/x", "/tekton/home to /workspace/w/x/home"],
    ])("a link %s to %s, where a step can exchange what the engine looks up, is refused before the start", async (link, target, led) => {
      const image = await importLink(engine, link, target);
      const source = join(bench.workspacesDir, "linked");
      const workspace = { name: "w", scope: "workflow" as const, ownerId: "o", source, mountPath: "/workspace/w", readOnly: false };
      const workspaces = [{ ...workspace, sizeLimitBytes: 1_000_000 }];
      const { outcome } = await run(bench, makeJob([{ name: "build", image, command: ["/true"] }], { workspaces }));
      expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed", message: expect.stringContaining(`lead ${led}`) });
      await bench.executor.settle();
      expect(await bench.leftovers()).toEqual([]);
    });

    // Podman takes ten times as long per folder, with the same limit.
    test.skipIf(kind === "podman")("volumes so deep that their places take minutes to look at are refused before the start", async () => {
      const image = await importDeep(engine, 20, 20);
      const { outcome } = await run(bench, makeJob([{ name: "build", image, command: ["/true"] }]));
      expect(outcome).toMatchObject({
        status: "failed",
        reason: "ImagePullFailed",
        message: expect.stringContaining("more than 300 folders"),
      });
      await bench.executor.settle();
      expect(await bench.leftovers()).toEqual([]);
    });

    test("an image can't read variables of the engine", async () => {
      const image = `${registry.host}/variables/common:1`;
      const { outcome } = await run(bench, job(image, "team-1"));
      expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
      expect(outcome.message).toContain('variables without a value ("*")');
    });

    test("annotations of a manifest don't reach the runtime, and don't affect other images with the same content", async () => {
      const [plain, annotated] = ["open/common:1", "annotated/common:1"].map((path) => `${registry.host}/${path}`) as [string, string];
      const ran = { reason: "CommandNotFound" };
      expect((await run(bench, job(plain, "team-1"))).outcome).toMatchObject(ran);
      const { outcome } = await run(bench, job(annotated, "team-2"));
      if (kind === "podman") expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed" });
      if (kind === "podman") expect(outcome.message).toContain("run.oci.keep_original_groups");
      else expect(outcome, "Docker passes annotations on to nobody").toMatchObject(ran);
      expect((await run(bench, job(plain, "team-1"))).outcome).toMatchObject(ran);
    });

    test("no health check runs beside the step, and labels of the image are not on the container", async () => {
      // Podman does not support health checks when it commits an image, and only runs them through systemd.
      const check = kind === "docker" ? ["HEALTHCHECK --interval=1s CMD echo x >> /task/work/health"] : [];
      const image = await imageWith(engine, ["LABEL proxy.enable=true", "LABEL dev.millrace.team=another", ...check]);
      const script = "echo begun; until test -e go; do sleep 0.05; done; test ! -e health";
      const { finished } = await startUntil(bench, makeJob([{ script, image }], { teamId: "team-1" }), "begun");
      const [found] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=0"] } });
      const { Config } = await engine.docker.getContainer(found?.Id ?? "").inspect();
      const go = await engine.docker.getContainer(found?.Id ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      await go.start({ Detach: true });
      expect(Config.Labels).toMatchObject({ "proxy.enable": "", "dev.millrace.team": "team-1" });
      expect((Config.Healthcheck as { Test?: string[] } | undefined)?.Test ?? ["NONE"]).toEqual(["NONE"]);
      expect((await finished).outcome.status).toBe("succeeded");
    });

    test("no label names a folder that the clean-up of leftovers would remove, neither an image's nor any container's", async () => {
      const kept = join(bench.scratchDir, "kept");
      await mkdir(kept);
      const image = await imageWith(engine, ["LABEL dev.millrace.folder=../../kept", "LABEL dev.millrace.step=0"]);
      let isOver = false;
      const looks = (async () => {
        while (!isOver) await bench.executor.look();
      })();
      const { outcome } = await run(bench, makeJob([{ script: "true", image }], { teamId: "team-1" }));
      isOver = true;
      await looks;
      expect(outcome.status).toBe("succeeded");
      expect(await readdir(bench.scratchDir)).toContain("kept");
      const [owner = ""] = await readdir(join(bench.scratchDir, "containers/owners"));
      const instance = await readFile(join(bench.scratchDir, "containers/instance"), "utf8");
      const labels = { "dev.millrace.instance": instance, "dev.millrace.owner": owner, "dev.millrace.folder": "../../kept" };
      await engine.docker.createContainer({ Image: image, Cmd: ["true"], Labels: labels });
      await bench.executor.look();
      expect(await readdir(bench.scratchDir)).toContain("kept");
      expect(await bench.leftovers()).toEqual([]);
    });
  });
}

interface ImportOptions {
  /** Below /etc. */
  file: string;
  bytes: number;
}

async function importFile(engine: ContainerEngine, { file, bytes }: ImportOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-file-"));
  await mkdir(dirname(join(folder, "root/etc", file)), { recursive: true });
  await writeFile(join(folder, "root/etc", file), Buffer.alloc(bytes, "a:x:1:\n"));
  await exec("tar", ["-C", join(folder, "root"), "-cf", join(folder, "tar"), "."]);
  const name = `localhost/file-${file.replace("/", "-")}:1`;
  await engine.importImage(join(folder, "tar"), name);
  await rm(folder, { recursive: true });
  return name;
}

/** A root file system with one link. */
async function importLink(engine: ContainerEngine, link: string, target: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-link-"));
  await mkdir(dirname(join(folder, "root", link)), { recursive: true });
  await symlink(target, join(folder, "root", link));
  await exec("tar", ["-C", join(folder, "root"), "-cf", join(folder, "tar"), "."]);
  const name = `localhost/link-${link.replace("/", "-")}:1`;
  await engine.importImage(join(folder, "tar"), name);
  await rm(folder, { recursive: true });
  return name;
}

/** An image with so many volumes at such a depth, in folders that it contains. */
async function importDeep(engine: ContainerEngine, count: number, depth: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-deep-"));
  const paths = Array.from({ length: count }, (_, index) => `v${index}${"/a".repeat(depth)}`);
  for (const path of paths) await mkdir(join(folder, "root", path), { recursive: true });
  await exec("tar", ["-C", join(folder, "root"), "-cf", join(folder, "tar"), "."]);
  await engine.importImage(join(folder, "tar"), "localhost/deep-folders:1");
  await rm(folder, { recursive: true });
  const container = await engine.docker.createContainer({ Image: "localhost/deep-folders:1", Cmd: ["/true"] });
  await container.commit({ repo: "localhost/deep", tag: "1", changes: paths.map((path) => `VOLUME /${path}`).join("\n") });
  await container.remove({ v: true });
  return "localhost/deep:1";
}

/** A root file system that contains only a pipe, where the engine looks for accounts. */
async function importPipe(engine: ContainerEngine, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-pipe-"));
  await mkdir(join(folder, "root/etc"), { recursive: true });
  await writeFile(join(folder, "root/true"), "");
  await exec("mkfifo", [join(folder, "root/etc", file)]);
  await exec("tar", ["-C", join(folder, "root"), "-cf", join(folder, "tar"), "."]);
  const name = `localhost/pipe-${file}:1`;
  await engine.importImage(join(folder, "tar"), name);
  await rm(folder, { recursive: true });
  return name;
}

/** The image of tests, with these lines added to its Dockerfile. */
async function imageWith({ docker }: ContainerEngine, changes: readonly string[]): Promise<string> {
  const { name } = await taskImage();
  const container = await docker.createContainer({ Image: name, Cmd: ["true"] });
  await container.commit({ repo: "localhost/with-more", tag: "1", changes: changes.join("\n") });
  await container.remove();
  return "localhost/with-more:1";
}

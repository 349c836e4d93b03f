import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExecutorSpace, executorSpace, inTestImage } from "../../../test/kubernetes/executor-bench.ts";
import type { ImageConfig } from "../../../test/kubernetes/import-image.ts";
import { runCommand } from "../../../test/kubernetes/run-command.ts";
import { type Bench, type Finished, makeJob, run } from "../exercise/scenario.ts";
import type { KubernetesExecutor } from "./kubernetes-executor.ts";

/** What a hostile author of a workflow, or of an image, tries in a pod. */
let space: ExecutorSpace;
let executor: KubernetesExecutor;
let folder: string;
beforeAll(async () => {
  space = await executorSpace();
  executor = await space.open({ pendingMs: 60_000 });
  folder = await mkdtemp(join(tmpdir(), "hostile-"));
});
afterAll(async () => {
  await executor.close();
  expect(await space.leftovers()).toEqual([]);
  await space.remove();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const full = { status: "failed", reason: "WorkspaceFull" };
const slowWrites = (file: string) => `while :; do head -c 2097152 /dev/zero >> ${file} || exit 9; sleep 0.1; done`;

function runScript(script: Parameters<typeof makeJob>[0], image?: string): Promise<Finished> {
  const adapt: NonNullable<Bench["adapt"]> = (job) => inTestImage(job, image);
  return run({ executor, adapt } as unknown as Bench, makeJob(script, { timeoutMs: 200_000 }));
}

/**
 * An image with a static busybox and this configuration, with folders that everyone can write to: its volumes inherit their permissions.
 */
async function imageWith(config: ImageConfig, open: readonly string[] = []): Promise<string> {
  const name = `localhost/millrace-hostile-${count++}:1`;
  const tar = join(folder, "image.tar");
  await copyFile(space.cluster.helperTar, tar);
  for (const path of open) {
    await mkdir(join(folder, path), { recursive: true });
    await runCommand("tar", ["-rf", tar, "--mode=1777", "-C", folder, path]);
  }
  await space.cluster.importImage(tar, name, config);
  return name;
}

describe("what the container of a step holds outside of its folders counts", () => {
  test("a volume that its image declares", async () => {
    const image = await imageWith({ Volumes: { "/tmp/../cache": {}, "/with blank": {} } }, ["cache", "with blank"]);
    for (const folder of ["/cache", "/with blank"]) {
      const { outcome, texts } = await runScript(slowWrites(`"${folder}/big"`), image);
      expect(outcome, texts().join()).toMatchObject(full);
      expect(outcome.message).toMatch(/MiB in its image and that image's volumes/);
    }
  });

  test("files in such a volume, by their number", async () => {
    const image = await imageWith({ Volumes: { "/cache": {} } }, ["cache"]);
    const { outcome } = await runScript("cd /cache; for i in $(seq 12000); do : > f$i; done; sleep 60", image);
    expect(outcome).toMatchObject(full);
    expect(outcome.message).toContain("more than the 10000 files");
  });

  test("files that it writes into its image, below a path longer than the system's limit", async () => {
    const deep = `cd /open; for i in $(seq 60); do mkdir ${"d".repeat(100)} 2>/dev/null && cd ${"d".repeat(100)} 2>/dev/null || break; done`;
    const image = await imageWith({}, ["open"]);
    const { outcome, texts } = await runScript([{ script: `${deep}; ${slowWrites("./big")}`, hasWritableRoot: true }], image);
    expect(outcome, texts().join()).toMatchObject(full);
    expect(outcome.message).toMatch(/MiB in its image and that image's volumes/);
  });

  test("the file that the node reads as its termination message", async () => {
    expect((await runScript(slowWrites("/tekton/termination"))).outcome).toMatchObject(full);
  });

  test.each([
    ["it ends everything beside it", "kill -KILL -1"],
    ["it stops everything beside it", "kill -STOP -1"],
    ["it hides its descriptors", 'exec "$(ls /run/millrace/shared/*/busybox)" sh -c "$0"'],
  ])("what it hides, when %s", async (_, act) => {
    const hide = `cd /task/work; exec 9> gone; rm gone; set -- "while :; do head -c 2097152 /dev/zero >&9; sleep 0.1; done"; ${act.replace("$0", "$1")}; eval "$1"`;
    const { outcome, texts } = await runScript(hide, await imageWith({}));
    expect(outcome, texts().join()).toMatchObject(full);
    expect(outcome.message).toMatch(/up to .* where it can't be read/);
  });
});

describe("the first process of a container", () => {
  test("can't be traced, read or impersonated by the step", async () => {
    const tries = `import ctypes, glob, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, act):
    try:
        act()
        print("open:", name)
    except OSError as error:
        print("closed:", name, error.errno)
def trace(request):
    if libc.ptrace(request, 1, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
attempt("attach", lambda: trace(16))
attempt("seize", lambda: trace(0x4206))
for name in ["mem", "environ", "maps", "auxv", "stack"]:
    attempt(name, lambda: open(f"/proc/1/{name}", "rb").read(1))
attempt("descriptors", lambda: os.listdir("/proc/1/fd"))
attempt("program", lambda: open("/proc/1/exe", "rb").read(1))
attempt("root", lambda: os.listdir("/proc/1/root"))
for name in ["alive", "go", "stop"]:
    attempt(name, lambda: os.open(f"/run/millrace/own/{name}", os.O_RDWR))
attempt("new pipe", lambda: os.mkfifo("/run/millrace/own/alive"))
attempt("busybox", lambda: open(glob.glob("/run/millrace/shared/*/busybox")[0], "rb").read(1))
attempt("permissions", lambda: os.chmod(glob.glob("/run/millrace/shared/*/busybox")[0], 0o755))
sys.stdout.flush()
os.kill(1, 9)
os.kill(1, 19)
os._exit(7)`;
    const { outcome, texts } = await runScript(`#!/usr/bin/env python3\n${tries}`);
    expect(texts().filter((line) => !line.startsWith("closed: "))).toEqual([]);
    expect(texts()).toHaveLength(16);
    expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 7 });
  });
});

describe("an image", () => {
  test.each(["/run/millrace/own/x", "/run/millrace", "/run/millrace/task/millrace", "/run/millrace/shared/ends"])(
    "that declares a volume at %s is refused, and nothing of it runs",
    async (path) => {
      const { outcome, texts } = await runScript("echo ran", await imageWith({ Volumes: { [path]: {} } }));
      expect({ ...outcome, texts: texts() }).toMatchObject({ status: "failed", texts: [] });
      expect(outcome.message).toMatch(/can't be run in its image: the image has a volume or a link at|could not be started/);
    },
  );

  test("changes nothing by its user, its program, its variables or its folder", async () => {
    const image = await imageWith({
      User: "root",
      Entrypoint: ["/bin/false"],
      WorkingDir: "/root",
      Env: [
        "PATH=/evil",
        "LD_PRELOAD=/evil.so",
        "ENV=/evil",
        "IFS=/",
        "box=/evil",
        "millrace_box=/evil",
        "PS4=$(kill 1)",
        "word=x",
        "code=0",
      ],
    });
    const { outcome, texts } = await runScript("#!/bin/sh\n/bin/id -u; echo $PATH; /bin/pwd; exit 5", image);
    expect(texts()).toEqual(["64200", "/evil", "/task/work"]);
    expect(outcome).toMatchObject({ status: "failed", exitCode: 5 });
  });
});

describe("no container is made while a step runs", () => {
  // The node creates containers one after the other, so a step would have time before the last of these is created.
  const fillers = Array(10).fill({ script: "true" });

  test("so a link of an earlier step can't lead a volume of an image over the program that runs a later step", async () => {
    await mkdir(join(folder, "task/work/a/b"), { recursive: true });
    const forger =
      "cd /run/millrace/own; exec 6< go; read -r _ <&6; exec 8> alive; echo begun >&8; read -r _ <&6; echo forged > out; echo end 0 0 >&8";
    await writeFile(join(folder, "task/work/a/b/busybox"), `#!/bin/sh\n${forger}\n`);
    const image = await imageWith({ Volumes: { "/task/work/a/b": {} } }, ["task/work/a/b"]);
    const link = `cd /task; mv work away; mkdir -p work/a; ln -s "$(echo /run/millrace/shared/*/busybox | sed 's|/busybox||')" work/a/b; sleep 2`;
    const { outcome, texts } = await runScript([{ script: link }, ...fillers, { script: "echo honest; exit 3", image }]);
    expect({ ...outcome, texts: texts() }).toMatchObject({ reason: "ExitCode", exitCode: 3, texts: ["honest"] });
  });

  test.each([
    { by: "a file", exchange: ": > /task/tmp" },
    { by: "a link", exchange: "ln -s /etc /task/tmp" },
    { by: "a link that leads nowhere", exchange: "ln -s /nowhere /task/tmp" },
  ])("so a folder of /task that is replaced by $by keeps none from being started", async ({ exchange }) => {
    const { outcome } = await runScript([{ script: `mv /task/tmp /task/away; ${exchange}` }, ...fillers]);
    expect(outcome).toMatchObject({ status: "succeeded" });
  });

  test("so if one image is missing, no step runs", async () => {
    const { outcome, texts } = await runScript([{ script: "echo ran" }, { script: "true", image: "localhost/no-such:1" }]);
    expect({ ...outcome, texts: texts() }).toMatchObject({ status: "failed", reason: "ImagePullFailed", texts: [] });
  });
});

test("a step can't imitate the node's message that it never started", async () => {
  const claim = "echo 'refused: no such image' > /tekton/termination; exit 70";
  const { outcome, texts } = await runScript([{ script: claim, onError: "continue" }, { script: "sleep 3; echo second" }]);
  expect(outcome).toMatchObject({ status: "succeeded" });
  expect(texts("system").join()).not.toContain("no such image");
});

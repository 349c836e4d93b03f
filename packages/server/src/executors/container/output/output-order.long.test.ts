import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openContainerBench } from "../../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../../test/kit/container/container-tier.ts";
import { taskImage } from "../../../../test/kit/container/task-image.ts";
import { makeJob, run } from "../../exercise/scenario.ts";

/** An image without a shell but with a program of its own: what the image specifies is started like anything else. */
const shells = "/bin/sh /bin/dash /bin/bash /usr/bin/sh /usr/bin/dash /usr/bin/bash";
const write = `import os, sys
for i in range(200):
    os.write(1, b"out %d\\n" % i)
    os.write(2, b"error %d\\n" % i)
print(sys.argv[1:])`;
const written = Array.from({ length: 200 }, (_, index) => [`out ${index}`, `error ${index}`]).flat();

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`the order of output, with ${kind}`, () => {
    test("is the order of writing, even in an image without a shell, for its own program and for a command", {
      timeout: 120_000,
    }, async () => {
      const bench = await openContainerBench(tier.engine);
      onTestFinished(() => bench.close());
      const image = await shellLessImage(tier.engine);
      const { outcome, lines, texts } = await run(
        bench,
        makeJob([
          { name: "own", image },
          { name: "arguments", image, args: ["given", "a b"] },
          { name: "command", image, command: ["python3", "-c", write], args: ["x"] },
          { name: "shell", image, command: ["sh", "-c", "echo there is a shell"], onError: "continue" },
        ]),
      );
      expect(outcome.message).toBe("");
      expect(texts()).toEqual([...written, "['default']", ...written, "['given', 'a b']", ...written, "['x']", "sh: not found"]);
      expect(new Set(lines.map(({ stream }) => stream))).toEqual(new Set(["output", "system"]));
      expect(bench.executor.describe().detail).not.toContain("without the order");
      expect(await bench.leftovers()).toEqual([]);
    });

    test("holds where the worker's folders are mounted noexec and the engine runs programs of them all the same; else each line says its stream", async () => {
      const scratchDir = join(tier.engine.folder, "noexec");
      mkdirSync(scratchDir);
      execFileSync("mount", ["-t", "tmpfs", "-o", "noexec,mode=755", "tmpfs", scratchDir]);
      const bench = await openContainerBench(tier.engine, { scratchDir });
      onTestFinished(() => bench.close());
      const { outcome, lines } = await run(bench, makeJob("echo out; echo error >&2"));
      expect(outcome.message).toBe("");
      const said = lines.map(({ stream, text }) => `${stream} ${text}`);
      const warning = "without the order of standard output and standard error";
      if (kind === "docker") {
        expect(said).toEqual(["output out", "output error"]);
        expect(bench.executor.describe().detail).not.toContain(warning);
      } else {
        expect(said.sort()).toEqual(["stderr error", "stdout out"]);
        expect(bench.executor.describe().detail).toContain(warning);
      }
    });
  });
}

async function shellLessImage({ docker }: ContainerEngine): Promise<string> {
  const { name } = await taskImage();
  const container = await docker.createContainer({ Image: name, User: "0:0", Cmd: ["rm", "-f", ...shells.split(" ")] });
  await container.start();
  await container.wait();
  const entrypoint = JSON.stringify(["python3", "-c", write]);
  await container.commit({ repo: "localhost/without-shell", tag: "1", changes: `ENTRYPOINT ${entrypoint}\nCMD ["default"]` });
  await container.remove({ v: true });
  return "localhost/without-shell:1";
}

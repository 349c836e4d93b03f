import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { collectScript, followScript, podFolders, scriptFiles } from "./pod-scripts.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pod-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** bash stands in for busybox because it can run something between two commands. */
function inFolder(script: string, own: string): string {
  return script
    .replaceAll(podFolders.control, join(own, "control"))
    .replaceAll(podFolders.volumes, join(own, "volumes"))
    .replaceAll(podFolders.fixed, join(own, "fixed"))
    .replaceAll(new RegExp(`(?<![\\w./$}"-])${podFolders.task}(?=[/ \\n])`, "g"), join(own, "task"));
}

async function makeFolders(own: string, plan: string): Promise<void> {
  await mkdir(join(own, "control/log"), { recursive: true });
  await mkdir(join(own, "fixed/millrace"), { recursive: true });
  await mkdir(join(own, "task/results"), { recursive: true });
  await writeFile(join(own, "fixed", scriptFiles.plan), plan);
  await writeFile(join(own, "fixed", scriptFiles.results), "n\n");
  await writeFile(join(own, "fixed", scriptFiles.places), "");
  await writeFile(join(own, "fixed", scriptFiles.sidecars), "");
}

/** What the collector and one step do from start to end, in this order. */
const wholeStep =
  "echo 0.00 > log/1.begun; echo hello > log/1.out; echo 0 0 > log/1.code; printf 7 > $results/n; : > over; echo >&5 2> /dev/null";

/** Everything above happens before the command `place` of the follow script, or at its end. */
async function follow(place: number, own: string): Promise<string> {
  await makeFolders(own, "stop exit-code-1\n");
  await promisify(execFile)("mkfifo", [join(own, "control/wake")]);
  await writeFile(join(own, "control/log/1.out"), "");
  const trap = `set -T; place=0 results=${join(own, "task/results")}
trap 'place=$((place+1)); if [ $place = ${place} ] && [ $BASH_SUBSHELL = 0 ]; then cd ${join(own, "control")}; ${wholeStep}; fi' DEBUG`;
  const said = await runFollow(own, `${trap}\n${inFolder(followScript, own)}`);
  return said.replace(/^begin 1 \d+$/m, "begin 1 MS");
}

async function runFollow(own: string, script = inFolder(followScript, own), shell = ["bash"]): Promise<string> {
  const [program = "", ...first] = shell;
  const { stdout } = await promisify(execFile)(program, [...first, "-c", script, "follow", "1", "0", "0", "1000"], { timeout: 60_000 });
  return stdout;
}

test("at whatever point of the follow script a step starts and ends, all of its output is reported, in order", async () => {
  // The first commands open what the others write to; after the second round of the loop, the positions repeat.
  for (let place = 4; place <= 60; place++) {
    const own = join(folder, String(place));
    expect(await follow(place, own), `before command ${place}`).toBe("begin 1 MS\nout 1 6\nhello\nend 1 0 0\nresult 0 1 n\n7over\n");
  }
}, 120_000);

describe("results", () => {
  /** What the follow script reports for a folder with these files, after everything has ended. */
  async function resultsOf(names: readonly string[], declared = ["n"], shell?: string[]): Promise<string> {
    await makeFolders(folder, "");
    await writeFile(join(folder, "fixed", scriptFiles.results), declared.map((name) => `${name}\n`).join(""));
    await writeFile(join(folder, "control/over"), "");
    await promisify(execFile)("mkfifo", [join(folder, "control/wake")]);
    for (const name of names) await writeFile(join(folder, "task/results", name), "7");
    return runFollow(folder, undefined, shell);
  }

  test("that are not declared are sorted by name, at most 200, and only if their names are valid", async () => {
    const names = ["b", "a", "a b", "-x", ".hidden", "new\nline", "ü", ...Array.from({ length: 300 }, (_, index) => `r${1_000 + index}`)];
    const given = [...(await resultsOf(["n", ...names])).matchAll(/result 0 1 (.*)\n7/g)].map(([, name]) => name);
    expect(given).toEqual(["n", "a", "b", ...names.slice(7, 205)]);
  });

  test("of a task that declares none are all that it has written", async () => {
    expect(await resultsOf(["a", "b"], [])).toBe("result 0 1 a\n7result 0 1 b\n7over\n");
  });

  test("are the same with the programs of busybox, which a pod has", async ({ skip }) => {
    const programs = join(folder, "programs");
    await mkdir(programs);
    await promisify(execFile)("busybox", ["--install", "-s", programs]).catch(() => skip("this machine has no busybox"));
    const shell = ["env", `PATH=${programs}`, "sh"];
    expect(await resultsOf(["a", "b"], [], shell)).toBe("result 0 1 a\n7result 0 1 b\n7over\n");
  });

  test("of a folder with more than 10000 entries are only the declared ones", async () => {
    const names = Array.from({ length: 10_001 }, (_, index) => `r${index}`);
    expect(await resultsOf([...names, "n"])).toBe("result 0 1 n\n7over\n");
  });
});

describe("the limits of what a pod keeps", () => {
  /** Runs a collector without steps until it reports that a limit is exceeded. */
  async function breachOf(
    limits: { kibibytes: number; files: number; volumes?: string[] },
    prepare: (task: string) => Promise<void>,
  ): Promise<number[]> {
    await makeFolders(folder, "");
    await prepare(join(folder, "task"));
    const words = ["collect", "100", String(limits.kibibytes), String(limits.files), "nonce", ...(limits.volumes ?? [])];
    const collector = spawn("bash", ["-c", inFolder(collectScript, folder), ...words], { stdio: "ignore", detached: true });
    const ended = once(collector, "exit");
    try {
      const file = join(folder, "control/breach");
      await until(() => existsSync(file), "the collector tells", 60_000);
      return (await readFile(file, "utf8")).trim().split(" ").map(Number);
    } finally {
      process.kill(-collector.pid!, "SIGKILL");
      await ended;
    }
  }
  const held = (line: string) => writeFile(join(folder, "control/held"), line);
  const upSeconds = async () => (await readFile("/proc/uptime", "utf8")).split(" ")[0];

  test("count empty files", async () => {
    const [kibibytes = 0, files] = await breachOf({ kibibytes: 1_000_000, files: 50 }, async (task) => {
      for (let index = 0; index < 60; index++) await writeFile(join(task, `results/f${index}`), "");
    });
    expect(kibibytes).toBeLessThan(1_000);
    expect(files).toBe(51);
  });

  test("are checked repeatedly, however the first check ends", async () => {
    const [, files = 0] = await breachOf({ kibibytes: 1_000_000, files: 50 }, async (task) => {
      const beginAt = performance.now();
      const grow = async (): Promise<void> => {
        await until(() => performance.now() - beginAt > 2_500, "it was looked at");
        for (let index = 0; index < 60; index++) await writeFile(join(task, `results/f${index}`), "");
      };
      void grow();
    });
    expect(files).toBe(51);
  });

  test("include files that the running step and the sidecars have outside of their folders", async () => {
    const [kibibytes = 0, , ...parts] = await breachOf({ kibibytes: 2_000, files: 1_000 }, async () => {
      await held(`300 400 30 0 ${await upSeconds()}\n`);
      for (const place of [1, 10]) await writeFile(join(folder, `control/held-${place}`), `600 400 30 0 ${await upSeconds()}\n`);
      // Written, but not renamed to its final name yet.
      await writeFile(join(folder, "control/held-1.new"), `90000 0 0 0 ${await upSeconds()}\n`);
    });
    expect(kibibytes).toBeGreaterThan(2_600);
    expect(kibibytes).toBeLessThan(10_000);
    expect(parts).toEqual([1500, 1200, 0, 0]);
  });

  test("include the disk space that the running step uses outside of its folders", async () => {
    const [kibibytes = 0, files = 0, ...parts] = await breachOf({ kibibytes: 1_000, files: 1_000 }, async () => {
      await held(`700 400 30 0 ${await upSeconds()}\n`);
    });
    expect(kibibytes).toBeGreaterThan(1_100);
    expect(files).toBeGreaterThan(30);
    expect(parts).toEqual([700, 400, 0, 0]);
  });

  test("count the volumes of the task, and compare a volume that has a size with that size", async () => {
    const fill = async (task: string) => {
      for (const place of [0, 2]) await mkdir(join(task, `../volumes/${place}`), { recursive: true });
      await writeFile(join(task, "../volumes/2/file"), Buffer.alloc(2_000_000, 1));
    };
    const [together = 0, , ...parts] = await breachOf({ kibibytes: 1_000, files: 1_000 }, fill);
    expect(together).toBeGreaterThan(1_900);
    expect(parts).toEqual([0, 0, 0, 0]);
    await rm(folder, { recursive: true });
    const [own = 0, ...rest] = await breachOf({ kibibytes: 1_000_000, files: 1_000, volumes: ["0:1000", "2:1000"] }, fill);
    expect(own).toBeGreaterThan(1_900);
    expect(rest).toEqual([0, 0, 0, 0, 3]);
  });

  test("include the number of files that the running step has outside of its folders", async () => {
    const found = await breachOf({ kibibytes: 1_000_000, files: 50 }, async () => held(`0 0 51 0 ${await upSeconds()}\n`));
    expect(found[1]).toBeGreaterThan(50);
  });

  test.each([
    ["something can't be read", "1", 0],
    ["nothing was heard of the step for long", "0", 100],
  ])("take a step to hold what the disk has lost, where %s", async (_, hidden, secondsAgo) => {
    const elsewhere = join(folder, "elsewhere");
    const growing = (async () => {
      await until(() => existsSync(join(folder, "control/ready")), "the collector is ready", 60_000);
      await writeFile(elsewhere, Buffer.alloc(60_000_000, 1), { flush: true });
    })();
    const found = await breachOf({ kibibytes: 20_000, files: 1_000_000_000 }, async () => {
      await held(`0 0 0 ${hidden} ${Number(await upSeconds()) - secondsAgo}\n`);
    });
    await growing;
    expect(found[4]).toBeGreaterThan(19_000);
    expect(found[0]).toBeGreaterThanOrEqual(found[4]!);
  });
});

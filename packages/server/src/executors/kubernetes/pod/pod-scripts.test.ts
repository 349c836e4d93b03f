import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { followScript, podFolders, scriptFiles } from "./pod-scripts.ts";

/** What the collector and one step do from beginning to end, in the order in which they do it. */
const wholeStep =
  "echo 0.00 > log/1.begun; echo hello > log/1.out; echo 0 0 > log/1.code; printf 7 > $results/n; : > over; echo >&5 2> /dev/null";

/**
 * Everything above happens before the command `place` of the follow script, or at its end. bash stands in for busybox because it
 * can be told so.
 */
async function follow(place: number, folder: string): Promise<string> {
  await mkdir(join(folder, "control/log"), { recursive: true });
  await mkdir(join(folder, "fixed/millrace"), { recursive: true });
  await mkdir(join(folder, "task/results"), { recursive: true });
  await promisify(execFile)("mkfifo", [join(folder, "control/wake")]);
  await writeFile(join(folder, "fixed", scriptFiles.plan), "stop exit-code-1\n");
  await writeFile(join(folder, "fixed", scriptFiles.results), "n\n");
  await writeFile(join(folder, "control/log/1.out"), "");
  const script = followScript
    .replaceAll(podFolders.control, join(folder, "control"))
    .replaceAll(podFolders.fixed, join(folder, "fixed"))
    .replaceAll(podFolders.task, join(folder, "task"));
  const trap = `set -T; place=0 results=${join(folder, "task/results")}
trap 'place=$((place+1)); if [ $place = ${place} ] && [ $BASH_SUBSHELL = 0 ]; then cd ${join(folder, "control")}; ${wholeStep}; fi' DEBUG`;
  const { stdout } = await promisify(execFile)("bash", ["-c", `${trap}\n${script}`, "follow", "1", "0", "0", "1000"], { timeout: 20_000 });
  return stdout.replace(/^begin 1 \d+$/m, "begin 1 MS");
}

test("whenever a step begins and ends between two commands of the follow script, all of it is said, in order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "follow-"));
  try {
    // The first commands open what the others write to; after the second round of the loop the places repeat.
    for (let place = 4; place <= 60; place++) {
      const own = join(folder, String(place));
      expect(await follow(place, own), `before command ${place}`).toBe("begin 1 MS\nout 1 6\nhello\nend 1 0 0\nresult 0 1 n\n7over\n");
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

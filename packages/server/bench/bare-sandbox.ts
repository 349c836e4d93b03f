import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BenchContext } from "./bench-context.ts";
import { descendants } from "./processes.ts";
import { median, timeMs } from "./statistics.ts";
import type { BenchWorkflow } from "./workflows.ts";

/**
 * The price of the sandbox itself: `bwrap` around a shell, with the arguments of a step of the running service. They are read from a step
 * that sleeps, because the service chooses them for this machine and user. Left out are the descriptors that the service passes on (for its
 * control group and its filter of system calls), so a step can't be quite as quick as this.
 */

/** @returns the median of one after the other, in milliseconds; undefined where steps run without it, or with another program around it */
export async function measureBareSandbox(context: BenchContext, times: number): Promise<number | undefined> {
  const seen = await seeStep(context);
  if (seen === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "millrace-bench-sandbox-"));
  try {
    for (const name of ["task", "fixed"]) {
      await mkdir(join(folder, name));
      await chown(join(folder, name), seen.uid, seen.uid);
    }
    await chown(folder, seen.uid, seen.uid);
    const args = bareArgs(seen.args, folder);
    const isRoot = process.getuid?.() === 0;
    const runOnce = () => run(seen.file, args, isRoot ? { uid: seen.uid, gid: seen.uid } : {});
    await runOnce();
    const sample: number[] = [];
    for (let index = 0; index < times; index++) sample.push(await timeMs(runOnce));
    return median(sample);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface SeenStep {
  file: string;
  args: string[];
  uid: number;
}

/** The command line of the sandbox of a step that sleeps meanwhile. */
async function seeStep({ client, service }: BenchContext): Promise<SeenStep | undefined> {
  const task = { name: "only", type: "script", taskRef: "execute-shell", params: [{ name: "script", value: "sleep 30" }] };
  const asleep: BenchWorkflow = { name: "asleep", tasks: [task] };
  await client.createWorkflow(asleep);
  const { id } = await client.submit("asleep", { start: true });
  try {
    const until = Date.now() + 10_000;
    while (Date.now() < until) {
      for (const pid of descendants(service.pid)) {
        const [file = "", ...args] = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0").slice(0, -1);
        if (basename(file) === "bwrap" && args.includes("--unshare-user")) return { file, args, uid: (await stat(`/proc/${pid}`)).uid };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  } finally {
    await client.send("DELETE", `/api/v2/team/${client.team}/workflowrun/${id}/cancel`).catch(() => {});
  }
}

/** With folders of our own in place of those of the step, which end with it. */
function bareArgs(args: readonly string[], folder: string): string[] {
  const kept: string[] = [];
  const rest = args.slice(0, args.indexOf("--"));
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] as string;
    const target = rest[index + 2];
    if (["--info-fd", "--block-fd", "--seccomp"].includes(word)) index += 1;
    else if (/^--(ro-)?bind(-fd)?$/.test(word) && (target === "/task" || target === "/run/millrace/task")) {
      kept.push(word.replace("-fd", ""), join(folder, target === "/task" ? "task" : "fixed"), target);
      index += 2;
    } else kept.push(word);
  }
  return [...kept, "--", "/bin/sh", "-c", ":"];
}

async function run(file: string, args: string[], identity: { uid?: number; gid?: number }): Promise<void> {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], ...identity });
  const words: Buffer[] = [];
  child.stderr.on("data", (data: Buffer) => words.push(data));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`bwrap ended with ${code}: ${Buffer.concat(words).toString()}`);
}

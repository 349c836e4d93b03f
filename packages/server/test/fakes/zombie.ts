import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { until } from "../kit/until.ts";

/** A process whose parent never reaps it. */
export interface NeglectedProcess {
  pid: number;
  /** Kills it, and waits until it is a zombie. */
  kill(): Promise<void>;
  /** Ends the parent too. */
  close(): void;
}

export async function startNeglected(): Promise<NeglectedProcess> {
  const parent: ChildProcess = spawn("/bin/sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000 >/dev/null"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface(parent.stdout!), "line")) as [string];
  const pid = Number(line);
  // Until it has become the second sleep it is a shell, which reaps its children.
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, "latin1") === "sleep\n", "the parent is not a shell any more", 10_000);
  return {
    pid,
    async kill() {
      process.kill(pid, "SIGKILL");
      await until(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1")), "it is a zombie", 10_000);
    },
    close: () => void parent.kill("SIGKILL"),
  };
}

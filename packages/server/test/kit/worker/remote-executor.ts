import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { LineBlock } from "../../../src/core/log/log-lines.ts";
import type { Executor, Job, JobHandle, JobOutcome } from "../../../src/engine/executor.ts";
import type { ContainerExecutorSettings } from "../../../src/executors/container/settings.ts";
import { resolvePlace } from "../../../src/executors/steps/places.ts";
import { imageView } from "../../../src/executors/steps/view.ts";

export type RemoteSettings = Omit<ContainerExecutorSettings, "log" | "outbound">;

export type Order =
  | { act: "start"; id: number; job: Job }
  | { act: "stop"; id: number; why: Parameters<JobHandle["stop"]>[0]; graceMs: number }
  | { act: "settle"; id: number };

export type Answer =
  | ({ about: "executor" } & ReturnType<Executor["describe"]>)
  | { about: "lines"; id: number; block: Omit<LineBlock, "text"> & { text: string } }
  | { about: "outcome"; id: number; outcome: JobOutcome }
  | { about: "settled"; id: number };

export interface RemoteExecutor extends Executor {
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** A container executor that runs in its own process. @param command starts it, for example as another user */
export async function openRemoteExecutor(
  command: readonly string[],
  settings: RemoteSettings,
  env: Record<string, string>,
): Promise<RemoteExecutor> {
  const [program = "", ...args] = [...command, JSON.stringify(settings)];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  const order = (next: Order): void => void child.stdin.write(`${JSON.stringify(next)}\n`);
  const described = new Promise<ReturnType<Executor["describe"]>>((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the executor ended with exit code ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.about === "executor") resolve(answer);
      else waiting.get(answer.id)?.(answer);
    });
  });
  const description = await described;
  return {
    kind: "container",
    describe: () => description,
    place: (job, words) => resolvePlace(words, job, imageView),
    start(job, onLines) {
      const id = count++;
      const done = new Promise<JobOutcome>((resolve) => {
        waiting.set(id, (answer) => {
          if (answer.about === "lines") void onLines({ ...answer.block, text: Buffer.from(answer.block.text) });
          else if (answer.about === "outcome") resolve(answer.outcome);
        });
      });
      order({ act: "start", id, job });
      return { done, stop: (why, graceMs) => order({ act: "stop", id, why, graceMs }) };
    },
    async settle() {
      const id = count++;
      const settled = new Promise<void>((resolve) => waiting.set(id, () => resolve()));
      order({ act: "settle", id });
      await settled;
    },
    async close() {
      const hasExited = once(child, "exit");
      child.stdin.end();
      await hasExited;
    },
  };
}

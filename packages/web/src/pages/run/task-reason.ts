import type { TaskRun } from "../../api/queries/task-runs.ts";

/** What a typed reason means and what helps, where the message alone may not say it. The words of docs/executors.md. */
const helps: Readonly<Record<string, string>> = {
  ExitCode: "A step ended with an exit code other than 0. Its log says more.",
  CommandNotFound: "A command or interpreter is not there. Install it, or name an image that has it.",
  Signal: "A signal ended the step.",
  OutOfMemory: "It needed more memory than it may use. A larger limit (computeResources.limits.memory) helps, up to that of the worker.",
  ResultTooLarge: "A result is larger than it may be. Pass files by a workspace instead.",
  WorkspaceFull: "A workspace has grown beyond its limit. Give it a larger size, or clear it up.",
  ImagePullFailed: "The image could not be had. Check its name, the credentials of its registry, and the imagePullPolicy.",
  Unschedulable: "No node of the cluster took it in time.",
  QuotaExceeded: "A quota of the namespace kept it out for too long.",
  Evicted: "The cluster took its place away. A retry on the task helps.",
  NodeLost: "The node on which it ran is gone. A retry on the task helps.",
  WorkerLost: "The worker on which it ran is gone.",
  MachineFault:
    "The worker's machine has no room, files or processes left, or a disk that doesn't work. Attempts are tried again elsewhere, up to five times in a row.",
  ExecutorUnavailable: "The engine or cluster could not be reached for too long, or was restarted.",
  SandboxUnavailable: "This worker has no way to hold a step.",
  DeadlineExceeded: "Its time was over. A longer timeout on the task helps.",
  ImageRequired: "It needs an image and names none, or may have none.",
  InvalidTask: "It can't run as it is described.",
  LockTimeout: "The lock was not free in time.",
  ItemFailed: "Items of its list failed.",
};

export interface Reason {
  /** The sentence of the service: why it waits, or why it ended so. */
  why: string | undefined;
  /** What that means in general. */
  help: string | undefined;
}

/** Why a task run stands as it does, in words. */
export function reasonOf(task: Pick<TaskRun, "status" | "reason" | "statusMessage" | "waitingFor">): Reason {
  if (task.waitingFor !== undefined) return { why: task.waitingFor, help: undefined };
  const help = task.status === "succeeded" ? undefined : helps[task.reason ?? ""];
  const why = task.statusMessage ?? (task.status === "skipped" ? "The run took another way." : undefined);
  return { why, help: help === why ? undefined : help };
}

/** Said where a log has no lines. */
export function whyNoLog(task: Pick<TaskRun, "status" | "needs" | "waitingFor" | "type">): string {
  if (task.status === "skipped") return "It was skipped, so it wrote nothing.";
  if (task.needs === undefined && task.status !== "notstarted") return "The service does this task itself: it has no log.";
  if (task.status === "notstarted" || task.status === "ready") return `It has not begun. ${task.waitingFor ?? ""}`.trim();
  return task.status === "running" ? "It has written nothing yet." : "It wrote nothing.";
}

/** Parts of a sentence: plain, the name of a task, the id of a run, a time. */
export interface Part {
  kind: "text" | "task" | "run" | "time";
  text: string;
}

const special =
  /"([^"\n]{1,200})"|\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b|\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** Finds in a sentence of the service what can be led to. @param isTask whether there is a task of that name in the run */
export function partsOf(sentence: string, isTask: (name: string) => boolean): Part[] {
  const parts: Part[] = [];
  const text = (words: string) => {
    if (words !== "") parts.push({ kind: "text", text: words });
  };
  let from = 0;
  for (const match of sentence.matchAll(special)) {
    const [whole, name, id, time] = match;
    if (name !== undefined && !isTask(name)) continue;
    const quote = name === undefined ? "" : '"';
    text(sentence.slice(from, match.index) + quote);
    parts.push(
      name !== undefined
        ? { kind: "task", text: name }
        : id !== undefined
          ? { kind: "run", text: id }
          : { kind: "time", text: time as string },
    );
    from = match.index + whole.length - quote.length;
  }
  text(sentence.slice(from));
  return parts;
}

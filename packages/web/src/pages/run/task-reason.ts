import type { TaskRun } from "../../api/queries/task-runs.ts";

/** What a typed reason means and what helps, where the message alone may not say it. The words of docs/executors.md. */
const helps: Readonly<Record<string, string>> = {
  ExitCode: "The step exited with a non-zero code. See the log.",
  CommandNotFound: "A command or interpreter was not found. Install it, or set an image that contains it.",
  Signal: "The step was ended by a signal.",
  OutOfMemory: "The step exceeded its memory limit. Raise computeResources.limits.memory, up to the limit of the worker.",
  ResultTooLarge: "A result is too large. Pass files through a workspace instead.",
  WorkspaceFull: "A workspace exceeds its size limit. Increase its size, or delete files from it.",
  ImagePullFailed: "The image could not be pulled. Check its name, the credentials of the registry, and the imagePullPolicy.",
  Unschedulable: "No node of the cluster was available in time.",
  QuotaExceeded: "A quota of the namespace blocked it for too long.",
  Evicted: "The cluster evicted it. Set retries on the task.",
  NodeLost: "The node on which it ran was lost. Set retries on the task.",
  WorkerLost: "The worker on which it ran was lost.",
  MachineFault:
    "The worker's machine ran out of disk space, files or processes, or its disk failed. The attempt is retried elsewhere, up to five times in a row.",
  ExecutorUnavailable: "The container engine or cluster was unreachable for too long, or was restarted.",
  SandboxUnavailable: "This worker has no sandbox for steps.",
  DeadlineExceeded: "The task timed out. Set a longer timeout on the task.",
  ImageRequired: "The task needs an image and has none, or can't have one.",
  InvalidTask: "The definition of the task is not valid.",
  LockTimeout: "The lock was not released in time.",
  ItemFailed: "Some items of the list failed.",
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
  const why = task.statusMessage ?? (task.status === "skipped" ? "The run followed another branch." : undefined);
  return { why, help: help === why ? undefined : help };
}

/** Said where a log has no lines. */
export function whyNoLog(task: Pick<TaskRun, "status" | "needs" | "waitingFor" | "type">): string {
  if (task.status === "skipped") return "Skipped, so there is no log.";
  if (task.needs === undefined && task.status !== "notstarted") return "Millrace runs this task itself, so there is no log.";
  if (task.status === "notstarted" || task.status === "ready") return `Not started yet. ${task.waitingFor ?? ""}`.trim();
  return task.status === "running" ? "No output yet." : "No output.";
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

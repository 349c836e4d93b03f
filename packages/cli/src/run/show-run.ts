import type { MillraceClient, Schemas } from "@millrace/client/client.ts";
import { isExecutorType, isFinal, type TaskType } from "@millrace/contract/status.ts";
import { formatDuration } from "../output/format-time.ts";
import { plainLine, plainLogLine } from "../output/plain-text.ts";
import { hasColors, paint, paintStatus } from "../output/terminal.ts";
import type { LineWriter } from "./line-writer.ts";

type Run = Schemas["WorkflowRun"];
type TaskRun = Schemas["TaskRun"];

export interface ShowOptions {
  client: MillraceClient;
  writer: LineWriter;
  /** Prints a line whenever the status of a task changes. */
  hasStatuses: boolean;
  timestamps?: boolean;
  /** Prints only the last lines of each log, and what is added after that. */
  tail?: number;
  /** Only these tasks; a task with `forEach` includes its items. */
  tasks?: readonly string[];
  signal: AbortSignal;
}

/** Each time a run is read, prints what has changed, and the logs of its tasks as they grow, with the name of the task before each line. */
export class RunShower {
  readonly #options: ShowOptions;
  readonly #seen = new Map<string, string>();
  readonly #logs = new Map<string, Promise<void>>();
  #nameWidth = 0;
  #isFollowingSaid = false;

  constructor(options: ShowOptions) {
    this.#options = options;
  }

  readonly show = (run: Run): void => {
    const tasks = (run.tasks ?? []).filter(({ name, type }) => type !== "start" && type !== "end" && this.#isWanted(name)).sort(byStart);
    this.#nameWidth = Math.min(24, Math.max(0, ...tasks.map(({ name }) => plainLine(name).length)));
    // The logs of finished tasks end soon: what comes next in the run is printed after them.
    const before: Promise<void>[] = [];
    for (const task of tasks) {
      if (hasLog(task) && !this.#logs.has(task.id)) this.#logs.set(task.id, this.#follow(task));
      if (this.#options.hasStatuses) this.#noteStatus(task, before);
      const log = this.#logs.get(task.id);
      if (log !== undefined && isFinal(task.status)) before.push(log);
    }
    this.#options.writer.progress(progressOf(run, tasks));
  };

  /** Resolves when all logs have been printed to their ends. */
  async finish(): Promise<void> {
    await Promise.all(this.#logs.values());
    this.#options.writer.end();
  }

  #isWanted(name: string): boolean {
    const { tasks } = this.#options;
    return tasks === undefined || tasks.some((wanted) => name === wanted || name.startsWith(`${wanted}[`));
  }

  /** The end of a task is reported after its log, and after the logs of tasks that ended before it. */
  #noteStatus(task: TaskRun, before: readonly Promise<void>[]): void {
    const { id, status } = task;
    const state = `${status} ${status === "waiting" ? task.waitingFor : ""}`;
    if (status === "notstarted" || this.#seen.get(id) === state) return;
    this.#seen.set(id, state);
    const logs = [...before, this.#logs.get(id)];
    if (!isFinal(status) || logs.every((log) => log === undefined)) return this.#showStatus(task);
    this.#logs.set(
      id,
      Promise.all(logs).then(() => this.#showStatus(task)),
    );
  }

  #showStatus({ name, status, waitingFor, statusMessage, duration, startedRunRef }: TaskRun): void {
    const says = status === "running" ? "" : isFinal(status) ? statusMessage : waitingFor;
    const more = status !== "succeeded" ? plainLine(says ?? "") : duration === 0 ? "" : formatDuration(duration);
    const run = startedRunRef === undefined || more.includes(startedRunRef) ? "" : `  run ${plainLine(startedRunRef)}`;
    this.#options.writer.line(`${this.#label(name)}   ${paintStatus(status.padEnd(9))}  ${more}${run}`.trimEnd());
    if (startedRunRef !== undefined) this.#sayHowToFollow(startedRunRef);
  }

  /** Mentions, once, a run that a task has started, since it has its own tasks and logs. */
  #sayHowToFollow(runId: string): void {
    if (this.#isFollowingSaid) return;
    this.#isFollowingSaid = true;
    this.#options.writer.line(paint("dim", `Follow a run that a task started with: millrace run watch ${plainLine(runId)}`));
  }

  async #follow({ id, name }: TaskRun): Promise<void> {
    const { client, writer, timestamps, tail, signal } = this.#options;
    try {
      for await (const line of client.logs(id, { timestamps, tail, signal }))
        writer.line(`${this.#label(name)} ${paint("dim", "│")} ${plainLogLine(line, hasColors())}`);
    } catch (error) {
      if (!signal.aborted) writer.line(`${this.#label(name)}   the log can't be read: ${plainLine((error as Error).message)}`);
    }
  }

  #label(name: string): string {
    return paint("bold", plainLine(name).padEnd(this.#nameWidth));
  }
}

/** Skipped tasks never started, and come last. */
function byStart(a: TaskRun, b: TaskRun): number {
  return (a.startTime ?? "~") < (b.startTime ?? "~") ? -1 : a.startTime === b.startTime ? 0 : 1;
}

/** Tasks executed by the engine have no log, and tasks that wait or were skipped have none yet. */
export function hasLog({ type, status, attempt }: TaskRun): boolean {
  return isExecutorType(type as TaskType) && (status === "running" || attempt > 0);
}

function progressOf({ status, waitingFor }: Run, tasks: readonly TaskRun[]): string {
  const done = tasks.filter((task) => isFinal(task.status)).length;
  const running = tasks.filter((task) => task.status === "running").length;
  const says = waitingFor === undefined ? "" : `: ${plainLine(waitingFor)}`;
  return isFinal(status) ? "" : `${done} of ${tasks.length} tasks done, ${running} running; the run is ${plainLine(status)}${says}`;
}

import type { Schemas } from "@millrace/client/client.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { Command } from "commander";
import { type Connection, connect } from "../../connection/connect.ts";
import { exitCodes, Failure } from "../../failure.ts";
import { formatDuration } from "../../output/format-time.ts";
import { plainLine, plainLogLine } from "../../output/plain-text.ts";
import { type Format, outputOption, printList, printOne, printValue } from "../../output/print.ts";
import { hasColors, isTerminal, notify, write } from "../../output/terminal.ts";
import { awaitRun, endOnSignal } from "../../run/await-run.ts";
import { LineWriter } from "../../run/line-writer.ts";
import { readDuration } from "../../run/read-params.ts";
import { printedRuns } from "../../run/run-columns.ts";
import { addFilterOptions, type FilterFlags, readFilter, toQuery } from "../../run/run-filter.ts";
import { hasLog, RunShower } from "../../run/show-run.ts";
import { watchRun } from "../../run/watch-run.ts";
import { collect, exampleCommand, readCount } from "../client-command.ts";
import { addWaitOptions, finishCreated, type WaitFlags } from "../workflow/workflow.ts";
import { rerunCommands } from "./rerun.ts";
import { bulkCommand } from "./run-bulk.ts";
import { noteCommands } from "./run-notes.ts";

type Run = Schemas["WorkflowRun"];

/** `millrace run …` */
export function runCommand(): Command {
  const run = new Command("run").description("List, watch and control runs");
  for (const command of [...readingCommands(), ...changingCommands(), ...noteCommands(), bulkCommand()]) run.addCommand(command);
  return run;
}

function readingCommands(): Command[] {
  const list = exampleCommand("list", "List runs, newest first", [
    "run list --workflow nightly --status failed",
    "run list --search A-2345",
    "run list --limit 5 -o name",
    'run list --view "Failed today"',
  ]);
  addFilterOptions(list)
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 20)
    .addOption(outputOption())
    .action(listRuns);
  const get = exampleCommand("get", "Show a run, its tasks and its results", ["run get $RUN", "run get $RUN -o json"])
    .argument("<RUN>", "ID of the run")
    .addOption(outputOption())
    .action(getRun);
  const watch = exampleCommand("watch", "Show tasks and logs until the run ends; the exit code is its outcome", ["run watch $RUN"])
    .argument("<RUN>", "ID of the run")
    .option("--timeout <TIME>", "longest time to watch, such as 90s, 10m or 2h")
    .addOption(outputOption())
    .action(watchOne);
  const logs = exampleCommand("logs", "Show the logs of a run", [
    "run logs $RUN -f",
    "run logs $RUN --task build --tail 100",
    "run logs $RUN --search timeout",
  ])
    .argument("<RUN>", "ID of the run")
    .option("--task <NAME>", "only the log of this task; can be repeated", collect)
    .option("-f, --follow", "follow the log until the run ends")
    .option("--tail <NUMBER>", "only this many last lines of each task", readCount)
    .option("--timestamps", "put its time before each line")
    .option("--search <TEXT>", "only lines with this text, in all tasks")
    .action(showLogs);
  return [list, get, watch, logs];
}

function changingCommands(): Command[] {
  const cancel = exampleCommand("cancel", "Cancel runs", ["run cancel $RUN"]).argument("<RUN...>", "IDs of runs").action(cancelRuns);
  const retry = exampleCommand("retry", "Run again from the beginning, as a new run", ["run retry $RUN --watch"])
    .argument("<RUN>", "ID of the run")
    .action(retryOne);
  return [cancel, addWaitOptions(retry), ...rerunCommands()];
}

interface ListFlags extends FilterFlags {
  limit: number;
  output: Format;
}

async function listRuns({ limit, output, ...flags }: ListFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const query = { ...toQuery(await readFilter(connection, flags)), limit, order: "DESC" as const };
  const params = { path: { team: await connection.team() }, query };
  const { content, totalElements } = await connection.client.get("/api/v2/team/{team}/workflowrun/query", { params });
  await printList(output, content, printedRuns);
  if (totalElements > content.length) notify(`${content.length} of ${totalElements}. --limit shows more.`);
}

async function findRun(connection: Connection, runId: string): Promise<Run> {
  const params = { path: { team: await connection.team(), runId } };
  return connection.client.get("/api/v2/team/{team}/workflowrun/{runId}", { params });
}

async function getRun(id: string, { output }: { output: Format }, command: Command): Promise<void> {
  const run = await findRun(connect(command), id);
  if (output !== "table") return printOne(output, run, printedRuns);
  await printOne("table", run, printedRuns);
  write("\n");
  const tasks = run.tasks ?? [];
  await printList("table", tasks, printedTasks(tasks));
  if (run.results.length > 0) {
    write("\nResults\n");
    await printValue("yaml", Object.fromEntries(run.results.map(({ name, value }) => [name, value])));
  }
  const started = tasks.find(({ startedRunRef }) => startedRunRef !== undefined)?.startedRunRef;
  if (started !== undefined) notify(`Open a run that a task started with: millrace run get ${plainLine(started)}`);
}

/** For tasks that run other or nested workflows, includes those runs. Items and rounds of a task follow it. */
function printedTasks(tasks: readonly Task[]) {
  const counts = countItems(tasks);
  const says = ({ name, statusMessage, waitingFor }: Task) => statusMessage || waitingFor || counts.get(name);
  const run = { header: "RUN", value: ({ startedRunRef }: Task) => startedRunRef };
  return {
    columns: [
      { header: "TASK", value: ({ name }: Task) => name },
      { header: "STATUS", value: ({ status }: Task) => status, isStatus: true as const },
      { header: "DURATION", value: ({ duration }: Task) => (duration === 0 ? "" : formatDuration(duration)) },
      ...(tasks.some(({ startedRunRef }) => startedRunRef !== undefined) ? [run] : []),
      { header: "MESSAGE", value: says, canBeCut: true as const },
    ],
    nameOf: ({ id }: Task) => id,
  };
}
type Task = Schemas["TaskRun"];

/** Counts items and rounds by their task, e.g. `3 items: 2 succeeded, 1 failed`. */
function countItems(tasks: readonly Task[]): Map<string, string> {
  const statuses = new Map<string, Map<string, number>>();
  for (const { name, item, status } of tasks) {
    if (item === undefined) continue;
    const of = name.replace(/\[\d+\]$/, "");
    const counts = statuses.get(of) ?? new Map<string, number>();
    statuses.set(of, counts.set(status, (counts.get(status) ?? 0) + 1));
  }
  return new Map(
    [...statuses].map(([name, counts]) => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return [name, `${all} ${all === 1 ? "item" : "items"}: ${[...counts].map(([status, count]) => `${count} ${status}`).join(", ")}`];
    }),
  );
}

async function watchOne(id: string, { output, timeout }: WaitFlags, command: Command): Promise<void> {
  await awaitRun(connect(command), id, { output, watch: true, timeoutMs: timeout === undefined ? undefined : readDuration(timeout) });
}

interface LogFlags {
  task?: string[];
  follow?: true;
  tail?: number;
  timestamps?: true;
  search?: string;
}

async function showLogs(id: string, flags: LogFlags, command: Command): Promise<void> {
  const connection = connect(command);
  if (flags.search !== undefined) return searchLogs(connection, id, flags);
  const run = await findRun(connection, id);
  const known = new Set(run.tasks?.map(({ name }) => name.replace(/\[\d+\]$/, "")));
  const unknown = flags.task?.find((name) => !known.has(name.replace(/\[\d+\]$/, "")));
  if (unknown !== undefined) throw new Failure(exitCodes.notFound, `The run has no task ${unknown}`, `It has: ${[...known].join(", ")}`);
  await (flags.follow && !isFinal(run.status) ? followLogs(connection, id, flags) : writeLogs(connection, run, flags));
}

async function followLogs(connection: Connection, runId: string, { task, timestamps, tail }: LogFlags): Promise<void> {
  const abort = new AbortController();
  const signals = endOnSignal(abort, runId);
  const { client } = connection;
  const writer = await LineWriter.open(process.stdout);
  const shower = new RunShower({ client, writer, hasStatuses: false, timestamps, tail, tasks: task, signal: abort.signal });
  try {
    await watchRun({ client, team: await connection.team(), runId, show: shower.show, signal: abort.signal });
    await shower.finish();
  } finally {
    signals.forget();
  }
}

/** Prints each line with its task and line number. Searches everything that is stored. */
async function searchLogs(connection: Connection, runId: string, { search = "", task, timestamps, follow, tail }: LogFlags): Promise<void> {
  if (follow || tail !== undefined)
    throw new Failure(exitCodes.notUnderstood, "--search can't be combined with --follow or --tail", "Leave them out");
  const path = { team: await connection.team(), runId };
  let from: string | undefined;
  do {
    const params = { path, query: { text: search, limit: 1000, from } };
    const { matches, next } = await connection.client.get("/api/v2/team/{team}/workflowrun/{runId}/log/search", { params });
    for (const { taskName, item, line, date, text } of matches) {
      if (task !== undefined && !task.includes(taskName)) continue;
      const place = `${taskName}${item === undefined ? "" : `[${item}]`}:${line}`;
      const shown = isTerminal() ? plainLogLine(text, hasColors()) : text;
      write(`${plainLogLine(place, false)} │ ${timestamps ? `${date} ` : ""}${shown}\n`);
    }
    from = next ?? undefined;
  } while (from !== undefined);
}

/** Prints the logs one task after the other, in the order in which the tasks started. When piped, the log is unchanged. */
async function writeLogs({ client }: Connection, { tasks = [] }: Run, { task, tail, timestamps }: LogFlags): Promise<void> {
  const isWanted = ({ name }: Task) => task === undefined || task.includes(name) || task.includes(name.replace(/\[\d+\]$/, ""));
  const wanted = tasks.filter((one) => hasLog(one) && isWanted(one)).sort((a, b) => ((a.startTime ?? "~") < (b.startTime ?? "~") ? -1 : 1));
  for (const { id, name } of wanted) {
    for await (const line of client.logs(id, { follow: false, tail, timestamps })) {
      const shown = isTerminal() ? plainLogLine(line, hasColors()) : line;
      write(`${wanted.length > 1 ? `${plainLogLine(name, false)} │ ` : ""}${shown}\n`);
    }
  }
}

async function cancelRuns(ids: string[], _: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  const team = await connection.team();
  for (const runId of ids) {
    const params = { path: { team, runId } };
    const { status } = await connection.client.delete("/api/v2/team/{team}/workflowrun/{runId}/cancel", { params });
    write(`Run ${runId} is ${status}`);
  }
}

async function retryOne(runId: string, flags: WaitFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), runId } };
  const run = await connection.client.put("/api/v2/team/{team}/workflowrun/{runId}/retry", { params });
  await finishCreated(connection, run, flags, "Created");
}

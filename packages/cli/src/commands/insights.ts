import type { Schemas } from "@millrace/client/client.ts";
import { Command } from "commander";
import { connect } from "../connection/connect.ts";
import { formatDate, formatDuration } from "../output/format-time.ts";
import { type Format, outputOption, type Printed, printList, printValue } from "../output/print.ts";
import { notify } from "../output/terminal.ts";
import { exampleCommand, readCount } from "./client-command.ts";

const hourMs = 3_600_000;
const nameOf = (row: { workflowRef: string; workflowName?: string }) => row.workflowName ?? row.workflowRef;
const spent = (milliseconds: number) => (milliseconds === 0 ? undefined : formatDuration(milliseconds));

const printedWorkflows: Printed<Schemas["TimesOfWorkflow"]> = {
  columns: [
    { header: "WORKFLOW", value: nameOf, canBeCut: true },
    { header: "TASK RUNS", value: ({ taskRuns }) => String(taskRuns) },
    { header: "WORKER", value: ({ worker }) => spent(worker) },
    { header: "QUEUE", value: ({ queue }) => spent(queue) },
    { header: "QUOTA", value: ({ quota }) => spent(quota) },
    { header: "LOCK", value: ({ lock }) => spent(lock) },
    { header: "PERSON", value: ({ person }) => spent(person) },
    { header: "EVENT", value: ({ event }) => spent(event) },
    { header: "OTHER", value: ({ start, retry, sleep, run }) => spent(start + retry + sleep + run) },
  ],
  nameOf,
};

const printedTasks: Printed<Schemas["TaskWorkerTime"]> = {
  columns: [
    { header: "WORKFLOW", value: nameOf, canBeCut: true },
    { header: "TASK", value: ({ task }) => task || "further tasks", canBeCut: true },
    { header: "TASK RUNS", value: ({ taskRuns }) => String(taskRuns) },
    { header: "WORKER", value: ({ worker }) => spent(worker) },
  ],
  nameOf: (row) => `${nameOf(row)}/${row.task}`,
};

const printedHours: Printed<Schemas["ForecastHour"]> = {
  columns: [
    { header: "HOUR", value: ({ date }) => formatDate(date) },
    { header: "RUNS", value: ({ runs }) => String(runs) },
    { header: "AT ONCE", value: ({ concurrent }) => String(concurrent) },
    { header: "LIMIT", value: limitOf },
  ],
  nameOf: ({ date }) => date,
};

/** `millrace insights` */
export function insightsCommand(): Command {
  const times = exampleCommand("times", "Show how tasks spent their time: the top 20 workflows or tasks", [
    "insights times --days 7",
    "insights times --tasks -o json",
  ])
    .option("--days <NUMBER>", "days to look back", readCount, 30)
    .option("--tasks", "list tasks by worker time, instead of workflows")
    .addOption(outputOption())
    .action(showTimes);
  const forecast = exampleCommand("forecast", "Show the runs that schedules will start, hour by hour, with the limits of the team", [
    "insights forecast --hours 48",
  ])
    .option("--hours <NUMBER>", "hours to look ahead, up to 168", readCount, 24)
    .addOption(outputOption())
    .action(showForecast);
  return new Command("insights")
    .description("Show where time is spent, and what schedules will start")
    .addCommand(times)
    .addCommand(forecast);
}

async function showTimes({ days, tasks, output }: { days: number; tasks?: boolean; output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const toDate = Date.now();
  const params = { path: { team: await connection.team() }, query: { fromDate: toDate - days * 24 * hourMs, toDate } };
  const times = await connection.client.get("/api/v2/team/{team}/insights/times", { params });
  if (output === "json" || output === "yaml") return printValue(output, times);
  await (tasks ? printList(output, times.tasks, printedTasks) : printList(output, times.workflows, printedWorkflows));
  if (times.countedUntil !== undefined) notify(`Runs that ended until ${formatDate(times.countedUntil)} are counted.`);
}

async function showForecast({ hours, output }: { hours: number; output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team() }, query: { hours } };
  const forecast = await connection.client.get("/api/v2/team/{team}/insights/forecast", { params });
  if (output === "json" || output === "yaml") return printValue(output, forecast);
  await printList(output, forecast.hours, printedHours);
  const { totalRuns, runsThisMonth, maxConcurrentRuns, maxWorkflowRunMonthly, isPartial } = forecast;
  notify(`Runs: ${totalRuns} by schedules, ${runsThisMonth} this month so far (limit ${maxWorkflowRunMonthly ?? "none"}).`);
  notify(`At once: limit ${maxConcurrentRuns ?? "none"}.${isPartial ? " There are more schedules than were counted." : ""}`);
}

function limitOf({ isOverMonthly, isOverConcurrent }: Schemas["ForecastHour"]): string | undefined {
  if (isOverMonthly) return "refused";
  return isOverConcurrent ? "wait" : undefined;
}

import type { Schemas } from "@millrace/client/client.ts";
import { formatDate } from "../output/format-time.ts";
import { plainText } from "../output/plain-text.ts";
import { formatYaml } from "../output/print.ts";
import { type Column, formatTable } from "../output/table.ts";
import { isTerminal, paint, paintStatus } from "../output/terminal.ts";
import { runColumns } from "../run/run-columns.ts";
import { workflowKind } from "./definitions.ts";
import { type Kind, type Scope, teamOf } from "./kind.ts";
import { scheduleKind } from "./settings.ts";

interface Section {
  title: string;
  text: string;
}

/** The columns of the list, one per line, followed by what belongs to the object. */
export async function describeRow(kind: Kind, scope: Scope, row: object): Promise<string> {
  const shown = kind.columns.map(({ header, value, isStatus }) => [sentence(header), String(value(row) ?? ""), isStatus] as const);
  const facts = shown.filter(([, value]) => value !== "");
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, value, isStatus]) => `${paint("bold", `${name}:`.padEnd(width + 2))}${isStatus ? paintStatus(value) : plainText(value)}`,
  );
  const sections = await sectionsOf(kind, scope, row);
  const parts = sections.filter(({ text }) => text !== "").map(({ title, text }) => `\n${paint("bold", title)}\n${text}`);
  return `${lines.join("\n")}\n${parts.join("")}`;
}

async function sectionsOf(kind: Kind, scope: Scope, row: object): Promise<Section[]> {
  if (isKind(kind, workflowKind)) return describeWorkflow(scope, row as Schemas["Workflow"]);
  if (isKind(kind, scheduleKind)) return describeSchedule(scope, row as Schemas["WorkflowSchedule"]);
  return [{ title: "All members", text: plainText(await formatYaml(row)) }];
}

const isKind = (kind: Kind, other: { name: string }) => kind.name === other.name;

async function describeWorkflow(scope: Scope, workflow: Schemas["Workflow"]): Promise<Section[]> {
  const { name, params, tasks, triggers, warnings } = workflow;
  const { client } = scope.connection;
  const [path, query] = [{ team: teamOf(scope) }, { workflows: [name], limit: 5, order: "DESC" as const }];
  const runs = await client.get("/api/v2/team/{team}/workflowrun/query", { params: { path, query } });
  const on = Object.entries(triggers ?? {}).filter(([, trigger]) => (trigger as { enabled?: boolean } | null)?.enabled);
  return [
    { title: "Triggers", text: on.map(([kind]) => `${kind}\n`).join("") },
    {
      title: "Limits",
      text: limitLines(workflow)
        .map((line) => `${plainText(line)}\n`)
        .join(""),
    },
    { title: "Parameters", text: await table(params ?? [], parameterColumns) },
    { title: "Tasks", text: await table(withNested(tasks ?? []), taskColumns) },
    { title: "Warnings", text: (warnings ?? []).map(({ message }) => `${plainText(message)}\n`).join("") },
    { title: "Latest runs", text: await table(runs.content, runColumns) },
  ];
}

type Limits = Pick<Schemas["Workflow"], "concurrency" | "rate" | "debounce" | "batch" | "priority">;

/** How many of its runs run at once, how fast they start, which events share a run, and the priority. */
export function limitLines({ concurrency, rate, debounce, batch, priority }: Limits): string[] {
  const each = (key: string | null | undefined) => (key ? ` for each ${key}` : "");
  const time = (period: number | string) => `${period}${typeof period === "number" ? "s" : ""}`;
  const wait = debounce?.maxWait == null ? "" : `, ${time(debounce.maxWait)} at the latest`;
  return [
    ...(concurrency ? [`at most ${concurrency.max} at once${each(concurrency.key)}, then ${concurrency.onLimit ?? "queue"}`] : []),
    ...(rate ? [`at most ${rate.limit} started in ${time(rate.period)}${each(rate.key)}`] : []),
    ...(debounce ? [`starts with the last event when none has come for ${time(debounce.period)}${wait}${each(debounce.key)}`] : []),
    ...(batch ? [`starts with ${batch.size} events in ${batch.param}, or after ${time(batch.period)}${each(batch.key)}`] : []),
    ...(priority == null ? [] : [`priority ${priority}`]),
  ];
}

async function describeSchedule(scope: Scope, schedule: Schemas["WorkflowSchedule"]): Promise<Section[]> {
  const path = { team: teamOf(scope), scheduleId: schedule.id! };
  const firings = await scope.connection.client.get("/api/v2/team/{team}/schedule/{scheduleId}/firings", {
    params: { path, query: { limit: 5 } },
  });
  const why = [schedule.statusMessage, schedule.waitingFor].filter((text) => text);
  return [
    { title: "Why", text: why.map((text) => `${plainText(text!)}\n`).join("") },
    { title: "Latest times", text: await table(firings.content, firingColumns) },
  ];
}

async function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<string> {
  return rows.length === 0 ? "" : formatTable(columns, rows, isTerminal() ? process.stdout.columns : undefined);
}

const parameterColumns: Column<Schemas["AbstractParam"]>[] = [
  { header: "NAME", value: ({ name }) => name },
  { header: "TYPE", value: ({ type }) => type ?? "" },
  { header: "REQUIRED", value: ({ required }) => (required ? "yes" : "no") },
  { header: "DEFAULT", value: (one) => (one.default === undefined ? "" : JSON.stringify(one.default)), canBeCut: true },
];

type Task = Schemas["WorkflowTask"];

/** The tasks of a nested workflow follow the task that contains it, with their path as in tests: `group/work`. */
function withNested(tasks: readonly Task[], way = ""): Task[] {
  return tasks.flatMap((task) => {
    const { tasks: all = [] } = (task.workflow ?? {}) as { tasks?: Task[] };
    const inner = all.filter(({ type }) => type !== "start" && type !== "end");
    const name = `${way}${task.name}`;
    return [{ ...task, name }, ...withNested(inner, `${name}/`)];
  });
}

/** How often the task runs, if not exactly once. */
function repeats({ forEach, loop }: Task): string {
  if (loop) return `${loop.until ? "until" : "while"} a condition holds${loop.maxRounds ? `, at most ${loop.maxRounds} times` : ""}`;
  return forEach ? "for each item" : "";
}

const taskColumns: Column<Task>[] = [
  { header: "NAME", value: ({ name }) => name ?? "" },
  { header: "TYPE", value: ({ type }) => type ?? "" },
  { header: "TASK", value: ({ taskRef, workflow }) => (workflow ? "nested workflow" : (taskRef ?? "")) },
  { header: "REPEATED", value: repeats },
  { header: "AFTER", value: ({ dependencies }) => dependencies?.map(({ taskRef }) => taskRef).join(", "), canBeCut: true },
];

const firingColumns: Column<Schemas["ScheduleFiring"]>[] = [
  { header: "TIME", value: ({ scheduledDate }) => formatDate(scheduledDate) },
  { header: "OUTCOME", value: ({ outcome }) => outcome },
  { header: "RUN", value: ({ workflowRunRef }) => workflowRunRef },
  { header: "MESSAGE", value: ({ message }) => message, canBeCut: true },
];

function sentence(header: string): string {
  return header.charAt(0) + header.slice(1).toLowerCase();
}

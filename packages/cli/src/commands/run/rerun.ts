import type { Schemas } from "@millrace/client/client.ts";
import { type Command, Option } from "commander";
import { connect } from "../../connection/connect.ts";
import { confirm } from "../../connection/read-secret.ts";
import { exitCodes, Failure } from "../../failure.ts";
import { plainLine } from "../../output/plain-text.ts";
import { printList, printValue } from "../../output/print.ts";
import { write } from "../../output/terminal.ts";
import { readParam, readResult } from "../../run/read-params.ts";
import { collect, exampleCommand, readCount } from "../client-command.ts";
import { addWaitOptions, finishCreated, type WaitFlags } from "../workflow/workflow.ts";

type Plan = Schemas["RerunPlan"];

const at = "/api/v2/team/{team}/workflowrun/{runId}" as const;

/** `millrace run rerun` and `millrace run mark-succeeded`: both show what will run before they start it. */
export function rerunCommands(): Command[] {
  const rerun = exampleCommand("rerun", "Run the failed tasks again, or from any task, and the tasks after them, as a new run", [
    "run rerun $RUN --watch",
    "run rerun $RUN --from deploy --plan",
    "run rerun $RUN --from deploy --version 4 --param city=Oslo --yes",
  ])
    .argument("<RUN>", "ID of the run")
    .option("--from <TASK>", "run this task and the tasks after it again; can be repeated", collect)
    .addOption(new Option("--version <NUMBER>", "use this version of the workflow").argParser(readCount))
    .option("--latest", "use the latest version of the workflow")
    .option("--param <NAME=TEXT>", "a new value of a parameter; NAME:=JSON for a value that is not text; can be repeated", collect)
    .action(rerunOne);
  const mark = exampleCommand("mark-succeeded", "Mark a failed task as succeeded and continue after it, as a new run", [
    "run mark-succeeded $RUN --task deploy --reason 'Deployed from the console' --yes",
    "run mark-succeeded $RUN --task build --result image=shop:4 --reason 'Built elsewhere' --plan",
  ])
    .argument("<RUN>", "ID of the run")
    .requiredOption("--task <TASK>", "the task that failed")
    .option("--result <NAME=TEXT>", "a result of the task; NAME:=JSON for a value that is not text; can be repeated", collect)
    .option("--reason <TEXT>", "why; shown with the run")
    .action(markOne);
  for (const command of [rerun, mark]) command.option("--plan", "only show what would run").option("--yes", "don't ask for confirmation");
  return [addWaitOptions(rerun), addWaitOptions(mark)];
}

interface PlanFlags extends WaitFlags {
  plan?: true;
  yes?: true;
}

interface RerunFlags extends PlanFlags {
  from?: string[];
  version?: number;
  latest?: true;
  param?: string[];
}

async function rerunOne(runId: string, flags: RerunFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const { client } = connection;
  const path = { team: await connection.team(), runId };
  const { from, version, latest, param } = flags;
  // Without any of these options the rerun starts without a question, as in earlier versions.
  if (!flags.plan && [from, version, latest, param].every((flag) => flag === undefined)) {
    const run = await client.put(`${at}/rerun`, { params: { path } });
    return finishCreated(connection, run, flags, "Created");
  }
  if (latest && version !== undefined) throw new Failure(exitCodes.notUnderstood, "--latest and --version can't be combined");
  const options = { from, version, params: param?.map(readParam) };
  let plan = await client.post(`${at}/rerun/plan`, { params: { path }, body: options });
  if (latest && plan.version !== plan.latestVersion) {
    options.version = plan.latestVersion;
    plan = await client.post(`${at}/rerun/plan`, { params: { path }, body: options });
  }
  if (await isOnlyShown(plan, flags)) return;
  const run = await client.post(`${at}/rerun`, { params: { path }, body: { ...options, plan: plan.digest } });
  await finishCreated(connection, run, flags, "Created");
}

interface MarkFlags extends PlanFlags {
  task: string;
  result?: string[];
  reason?: string;
}

async function markOne(runId: string, flags: MarkFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const { client } = connection;
  const { task, result, reason } = flags;
  if (!flags.plan && !reason?.trim()) throw new Failure(exitCodes.notUnderstood, "The reason is missing", "Add --reason TEXT");
  const path = { team: await connection.team(), runId };
  const options = { task, results: result?.map(readResult) };
  const plan = await client.post(`${at}/mark-succeeded/plan`, { params: { path }, body: options });
  if (await isOnlyShown(plan, flags)) return;
  const body = { ...options, reason: reason ?? "", plan: plan.digest };
  const run = await client.post(`${at}/mark-succeeded`, { params: { path }, body });
  await finishCreated(connection, run, flags, "Created");
}

/** Shows the plan, and asks for confirmation. */
async function isOnlyShown(plan: Plan, { plan: isOnlyPlan, yes, output }: PlanFlags): Promise<boolean> {
  if (isOnlyPlan && (output === "json" || output === "yaml")) {
    await printValue(output, plan);
    return true;
  }
  if (isOnlyPlan || !yes) await printPlan(plan);
  if (isOnlyPlan) return true;
  await confirm(`Run ${plan.again} ${plan.again === 1 ? "task" : "tasks"}, reuse ${plan.reused}`, yes === true);
  return false;
}

async function printPlan({ tasks, unmapped, version, runVersion }: Plan): Promise<void> {
  if (version !== runVersion) write(`The run had version ${runVersion}; version ${version} will run.`);
  await printList("table", tasks, printedTasks);
  if (unmapped.length === 0) return;
  write("\nOf the run, these can't be used\n");
  await printList("table", unmapped, printedUnmapped);
}

type PlannedTask = Plan["tasks"][number];
type Unmapped = Plan["unmapped"][number];

const printedTasks = {
  columns: [
    { header: "TASK", value: ({ task }: PlannedTask) => task },
    { header: "PLAN", value: ({ decision, why }: PlannedTask) => (decision === "again" ? `again: ${why}` : decision) },
    { header: "WHY", value: textOf, canBeCut: true as const },
  ],
  nameOf: ({ task }: PlannedTask) => plainLine(task),
};

function textOf({ text, reusesItems }: PlannedTask): string {
  return reusesItems === undefined ? text : `${text}; ${reusesItems} items are reused`;
}

const printedUnmapped = {
  columns: [
    { header: "TASK", value: ({ task }: Unmapped) => task },
    { header: "WHY", value: ({ text }: Unmapped) => text, canBeCut: true as const },
  ],
  nameOf: ({ task }: Unmapped) => plainLine(task),
};

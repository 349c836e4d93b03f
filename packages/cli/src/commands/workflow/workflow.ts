import { Command } from "commander";
import { connect } from "../../connection/connect.ts";
import { plainLine } from "../../output/plain-text.ts";
import { type Format, outputOption, printOne } from "../../output/print.ts";
import { notify, write } from "../../output/terminal.ts";
import { awaitRun } from "../../run/await-run.ts";
import { type Param, readDuration, readLabels, readParam, readParamFile } from "../../run/read-params.ts";
import { printedRuns } from "../../run/run-columns.ts";
import { collect, exampleCommand, readCount } from "../client-command.ts";
import { keepCommands } from "./keep-workflow.ts";
import { protectCommands } from "./protect-workflow.ts";

export interface WaitFlags {
  watch?: true;
  wait?: true;
  timeout?: string;
  output: Format;
}

interface SubmitFlags extends WaitFlags {
  param?: string[];
  paramFile?: string[];
  label?: string[];
  workflowVersion?: number;
  start?: true;
}

/** The options of commands that create a run. */
export function addWaitOptions(command: Command): Command {
  return command
    .option("--watch", "show tasks and logs until the run ends; the exit code is its outcome")
    .option("--wait", "wait silently until the run ends; the exit code is its outcome")
    .option("--timeout <TIME>", "longest time to wait, such as 90s, 10m or 2h")
    .addOption(outputOption());
}

/** `millrace workflow submit` */
export function workflowCommand(): Command {
  const workflow = new Command("workflow").description("Run, archive, mark and protect workflows");
  const submit = exampleCommand("submit", "Create a run of a workflow", [
    "workflow submit nightly --watch",
    "workflow submit deploy --param version=2.1.0 --param count:=3 --label stage=test",
    "workflow submit deploy --param-file params.yaml --wait --timeout 30m -o json",
  ])
    .argument("<NAME>", "name or ID of the workflow")
    .option("--param <NAME=TEXT>", "a parameter; NAME:=JSON for a value that is not text; can be repeated", collect)
    .option("--param-file <FILE>", "parameters in YAML or JSON, - for standard input; --param overrides them", collect)
    .option("--label <KEY=VALUE>", "a label of the run; can be repeated", collect)
    .option("--workflow-version <NUMBER>", "version to run; default: the latest", readCount)
    .option("--start", "start it now, ahead of the queue");
  for (const one of [addWaitOptions(submit).action(submitWorkflow), ...keepCommands(), ...protectCommands()]) workflow.addCommand(one);
  return workflow;
}

async function submitWorkflow(name: string, flags: SubmitFlags, command: Command): Promise<void> {
  const files = await Promise.all((flags.paramFile ?? []).map(readParamFile));
  const params = [...files.flat(), ...(flags.param ?? []).map(readParam)];
  const labels = readLabels(flags.label ?? []);
  const connection = connect(command);
  const run = await connection.client.post("/api/v2/team/{team}/workflow/{workflow}/submit", {
    params: { path: { team: await connection.team(), workflow: name }, query: { start: flags.start } },
    body: { params, labels, trigger: "manual", workflowVersion: flags.workflowVersion },
    // With the same key, a repeated request doesn't start a second run.
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  if (params.length > 0) await warnOfUndeclared(connection, name, flags.workflowVersion, params);
  await finishCreated(connection, run, flags, "Submitted");
}

/** The service passes undeclared parameters on, since events can contain any data. On a command line one is most likely a typo. */
async function warnOfUndeclared(
  connection: ReturnType<typeof connect>,
  name: string,
  version: number | undefined,
  given: readonly Param[],
): Promise<void> {
  const path = { team: await connection.team(), workflow: name };
  // A token that may only start runs can't read the declarations.
  const found = await connection.client
    .get("/api/v2/team/{team}/workflow/{workflow}", { params: { path, query: { version } } })
    .catch(() => undefined);
  if (found === undefined) return;
  const declared = new Set((found.params ?? []).map((param) => param.name));
  const names = [...new Set(given.map((param) => param.name))].filter((one) => !declared.has(one)).map(plainLine);
  if (names.length === 0) return;
  const known = declared.size === 0 ? "It has none" : `It has ${[...declared].map(plainLine).join(", ")}`;
  process.stderr.write(`millrace: Warning: ${plainLine(found.name)} declares no parameter ${names.join(", ")}. ${known}\n`);
}

/** Prints the id of the run, or waits for its end. */
export async function finishCreated(
  connection: ReturnType<typeof connect>,
  run: Parameters<typeof printedRuns.nameOf>[0],
  flags: WaitFlags,
  verb: string,
): Promise<void> {
  const { watch, wait, timeout, output } = flags;
  const id = plainLine(run.id);
  if (!watch && !wait) {
    if (output !== "table") return printOne(output, run, printedRuns);
    write(`${verb} run ${id}`);
    return notify(`Watch it with: millrace run watch ${id}`);
  }
  if (watch && output === "table") write(`${verb} run ${id}`);
  await awaitRun(connection, run.id, {
    output,
    watch: watch === true,
    timeoutMs: timeout === undefined ? undefined : readDuration(timeout),
  });
}

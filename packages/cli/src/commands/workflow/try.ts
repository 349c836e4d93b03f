import type { Schemas } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { connect } from "../../connection/connect.ts";
import { exitCodes, Failure } from "../../failure.ts";
import { plainLine } from "../../output/plain-text.ts";
import { notify } from "../../output/terminal.ts";
import { readText } from "../../read-text.ts";
import { readParam, readParamFile } from "../../run/read-params.ts";
import { isPath } from "../../test-run/is-path.ts";
import { collect, exampleCommand, readCount } from "../client-command.ts";
import { addWaitOptions, finishCreated, type WaitFlags } from "./workflow.ts";

interface TryFlags extends WaitFlags {
  only?: string;
  upTo?: string;
  pin?: string[];
  param?: string[];
  paramFile?: string[];
  fromRun?: string;
  workflowVersion?: number;
  name?: string;
}

type TaskPins = Record<string, Schemas["TaskPin"]>;

/** `millrace try`: for authors who test a workflow before they save it. */
export function tryCommand(): Command {
  const attempt = exampleCommand("try", "Run a workflow, or a part of it, without saving it", [
    "try orders.yaml --param city=Oslo --watch",
    "try orders.yaml --only send --pin results.yaml --watch",
    "try orders --up-to send --from-run $RUN",
  ])
    .argument("<FILE|NAME>", "a file with a workflow in YAML or JSON, - for standard input; or the name of a saved workflow")
    .option("--only <TASK>", "run only this task; the results that it uses come from --pin or --from-run")
    .option("--up-to <TASK>", "run this task and all tasks before it")
    .option("--pin <FILE>", "results of tasks that don't run, as TASK: {RESULT: VALUE} in YAML or JSON; can be repeated", collect)
    .option("--param <NAME=TEXT>", "a parameter; NAME:=JSON for a value that is not text; can be repeated", collect)
    .option("--param-file <FILE>", "parameters in YAML or JSON; --param overrides them", collect)
    .option("--from-run <RUN>", "use the parameters of this run, and with --only its results")
    .option("--workflow-version <NUMBER>", "version of a saved workflow; default: the latest", readCount)
    .option("--name <NAME>", "the workflow that the file is a draft of; default: the name in the file");
  return addWaitOptions(attempt).action(tryWorkflow);
}

async function tryWorkflow(target: string, flags: TryFlags, command: Command): Promise<void> {
  const draftDocument = isPath(target) ? readText(target) : undefined;
  const workflow = flags.name ?? (draftDocument === undefined ? target : await nameIn(draftDocument));
  const files = await Promise.all((flags.paramFile ?? []).map(readParamFile));
  const params = [...files.flat(), ...(flags.param ?? []).map(readParam)];
  const pinned: TaskPins = Object.assign({}, ...(await Promise.all((flags.pin ?? []).map(readPins))));
  const { only, upTo, fromRun, workflowVersion: version } = flags;
  const connection = connect(command);
  const run = await connection.client.post("/api/v2/team/{team}/workflow/{workflow}/try", {
    params: { path: { team: await connection.team(), workflow } },
    body: { draftDocument, version, only, upTo, fromRun, params, ...(Object.keys(pinned).length > 0 && { pinned }) },
    // With the same key, a repeated request doesn't start a second trial.
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  for (const { node, message } of run.trial?.warnings ?? [])
    notify(`Warning: ${node === undefined ? "" : `task ${plainLine(node)}: `}${plainLine(message)}`);
  await finishCreated(connection, run, flags, "Trying in");
}

/** As in the document, whether in our format or Tekton's; the service reports any other errors in it. */
async function nameIn(document: string): Promise<string> {
  const content = (await parse(document, "The document")) as { name?: unknown; metadata?: { name?: unknown } } | null;
  const name = content?.name ?? content?.metadata?.name;
  if (typeof name === "string" && name !== "") return name;
  throw new Failure(exitCodes.notUnderstood, "The document has no name", "Add one, or use --name NAME");
}

/** `TASK: {RESULT: VALUE}`, or `TASK: {status, results: [{name, value}], decision}` as in the API. @throws {Failure} */
async function readPins(file: string): Promise<TaskPins> {
  const content = await parse(readText(file), file);
  if (!isObject(content)) throw new Failure(exitCodes.notUnderstood, `${file} has no tasks`, "Write TASK: {RESULT: VALUE} in each line");
  return Object.fromEntries(Object.entries(content).map(([task, pin]) => [task, toPin(pin)]));
}

function toPin(pin: unknown): Schemas["TaskPin"] {
  if (!isObject(pin)) return {};
  const isWhole = Array.isArray(pin["results"]) || typeof pin["status"] === "string" || typeof pin["decision"] === "string";
  return isWhole ? pin : { results: Object.entries(pin).map(([name, value]) => ({ name, value })) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function parse(text: string, what: string): Promise<unknown> {
  const { parseYaml } = await import("../../output/yaml-text.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw new Failure(exitCodes.notUnderstood, `${what} is not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
}

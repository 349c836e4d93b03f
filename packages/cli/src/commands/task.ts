import { existsSync, writeFileSync } from "node:fs";
import { ApiError } from "@millrace/client/api-error.ts";
import { Command } from "commander";
import { type Connection, connect } from "../connection/connect.ts";
import { describeFailure, exitCodes, Failure } from "../failure.ts";
import { write } from "../output/terminal.ts";
import { readText } from "../read-text.ts";
import { readParam } from "../run/read-params.ts";
import { collect, exampleCommand } from "./client-command.ts";
import { addWaitOptions, finishCreated, type WaitFlags } from "./workflow/workflow.ts";

/** `millrace task …`: for authors of tasks. */
export function taskCommand(): Command {
  const task = new Command("task").description("Write, check and try task definitions");
  const init = exampleCommand("init", "Write a file with a sample task", ["task init greet"])
    .argument("<NAME>", "letters, digits and hyphens")
    .option("--file <FILE>", "default: NAME.yaml")
    .action(initTask);
  const validate = exampleCommand("validate", "Check task documents without saving them", ["task validate greet.yaml"])
    .argument("<FILE...>", "Tasks or StepActions in YAML; - for standard input")
    .option("--global", "check it as a global task")
    .action(validateTasks);
  const attempt = exampleCommand("try", "Run one task on its own, saved or from a file", [
    "task try greet --param name=Ann --watch",
    "task try --file greet.yaml --param name=Ann --watch",
  ])
    .argument("[NAME]", "name of the task; with --file, default: the name in the file")
    .option("--file <FILE>", "try the document in this file, without saving it")
    .option("--param <NAME=TEXT>", "a parameter; NAME:=JSON for a value that is not text; can be repeated", collect);
  for (const one of [init, validate, addWaitOptions(attempt).action(tryTask)]) task.addCommand(one);
  return task;
}

const sample = (name: string) => `# Check it: millrace task validate ${name}.yaml
# Try it:   millrace task try --file ${name}.yaml --param name=Ann --watch
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: ${name}
spec:
  description: Greets someone.
  params:
    - name: name
      description: Who is greeted
      default: world
  results:
    - name: greeting
      description: The greeting
  steps:
    - name: greet
      script: |
        #!/bin/sh
        set -eu
        greeting="Hello, $PARAM_NAME!"
        echo "$greeting"
        printf '%s' "$greeting" > "$(results.greeting.path)"
`;

function initTask(name: string, { file = `${name}.yaml` }: { file?: string }): void {
  if (!/^[0-9A-Za-z-]{1,200}$/.test(name))
    throw new Failure(exitCodes.notUnderstood, `${name} is not a valid task name`, "Use letters, digits and hyphens");
  if (existsSync(file)) throw new Failure(exitCodes.conflict, `${file} exists already`, "Use another file: --file FILE");
  writeFileSync(file, sample(name), { flag: "wx" });
  write(`Wrote ${file}. Try it: millrace task try --file ${file} --watch`);
}

/** Checks all files before it fails. */
async function validateTasks(files: string[], { global: isGlobal }: { global?: true }, command: Command): Promise<void> {
  const connection = connect(command);
  const failures: (Failure | ApiError)[] = [];
  for (const file of files) {
    try {
      await validate(connection, readText(file), isGlobal === true);
      write(`${file} is valid`);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Failure)) throw error;
      error.message = `${file}: ${error.message}`;
      failures.push(error);
    }
  }
  const last = failures.pop();
  for (const failure of failures) process.stderr.write(describeFailure(failure));
  if (last !== undefined) throw last;
}

async function validate({ client, team }: Connection, document: string, isGlobal: boolean): Promise<void> {
  const init = { body: document, bodySerializer: (text: string) => text, headers: { "content-type": "application/x-yaml" } };
  if (isGlobal) await client.post("/api/v2/task/validate", init);
  else await client.post("/api/v2/team/{team}/task/validate", { params: { path: { team: await team() } }, ...init });
}

interface TryFlags extends WaitFlags {
  file?: string;
  param?: string[];
}

async function tryTask(given: string | undefined, flags: TryFlags, command: Command): Promise<void> {
  const draftDocument = flags.file === undefined ? undefined : readText(flags.file);
  const name = given ?? (draftDocument === undefined ? undefined : await nameIn(draftDocument));
  if (name === undefined) throw new Failure(exitCodes.notUnderstood, "The task is missing", "Add its name, or use --file FILE");
  const params = (flags.param ?? []).map(readParam);
  const connection = connect(command);
  const run = await connection.client.post("/api/v2/team/{team}/task/{name}/try", {
    params: { path: { team: await connection.team(), name } },
    body: { params, draftDocument },
    // With the same key, a repeated request isn't executed again.
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  await finishCreated(connection, run, flags, "Started");
}

/** As in `metadata` of the document; the service reports any other errors in it. */
async function nameIn(document: string): Promise<string | undefined> {
  const { parseYaml } = await import("../output/yaml-text.ts");
  try {
    const name = (parseYaml(document) as { metadata?: { name?: unknown } } | null)?.metadata?.name;
    return typeof name === "string" ? name : undefined;
  } catch (error) {
    throw new Failure(exitCodes.notUnderstood, `The document is not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
}

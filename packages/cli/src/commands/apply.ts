import type { Schemas } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { type DocumentSet, readDocuments } from "../apply/read-documents.ts";
import { describeApplied, describeChanges, describeProblems } from "../apply/show-changes.ts";
import { type Connection, connect } from "../connection/connect.ts";
import { confirm } from "../connection/read-secret.ts";
import { exitCodes, Failure } from "../failure.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, outputOption, printList, printValue } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { collect, exampleCommand } from "./client-command.ts";

type Result = Schemas["ApplyResult"];

interface ApplyFlags {
  file: string[];
  dryRun?: true;
  prune?: string;
  global?: true;
  yes?: true;
  output: Format;
}

/** `millrace apply`, `millrace diff` */
export function applyCommands(): Command[] {
  const apply = exampleCommand("apply", "Save the documents in files, all of them or none", [
    "apply -f workflows/",
    "apply -f workflows/ --dry-run",
    "apply -f workflows/ --prune managed-by=files --yes",
    "export --team stage | millrace apply -f - --team prod",
  ]);
  const diff = exampleCommand("diff", "Show what apply would change; the exit code is 1 if there are changes", [
    "diff -f workflows/",
    "diff -f workflows/ --prune managed-by=files",
  ]);
  for (const command of [apply, diff])
    command
      .requiredOption("-f, --file <PATH>", "a file, a folder, or - for standard input; can be repeated", collect)
      .option("--prune <KEY=VALUE>", "delete workflows, schedules and tasks that have this label and are in no file")
      .option("--global", "documents of the instance: teams, templates, global tasks, parameters and subscriptions");
  apply
    .option("--dry-run", "only show what would change")
    .option("--yes", "don't ask before deleting")
    .addOption(outputOption())
    .action(applyDocuments);
  diff.action(showDiff);
  return [apply, diff];
}

/** The plan is requested first: it contains all problems with their places, and what would be deleted. */
async function applyDocuments(flags: ApplyFlags, command: Command): Promise<void> {
  const set = readDocuments(flags.file);
  const connection = connect(command);
  const plan = await send(connection, set, flags, true);
  refuseProblems(plan, set);
  if (flags.dryRun) return printResult(flags.output, plan);
  const deleted = plan.documents.filter(({ action }) => action === "deleted");
  if (deleted.length > 0) {
    process.stderr.write(describeApplied(deleted));
    await confirm(`Delete ${deleted.length === 1 ? "it" : `all ${deleted.length}`}`, flags.yes === true);
  }
  await printResult(flags.output, await send(connection, set, flags, false));
}

async function showDiff(flags: ApplyFlags, command: Command): Promise<void> {
  const set = readDocuments(flags.file);
  const plan = await send(connect(command), set, flags, true);
  refuseProblems(plan, set);
  const changes = describeChanges(plan.documents);
  write(changes);
  warn(plan);
  if (changes === "") notify("Nothing would change.");
  else process.exitCode = exitCodes.failed;
}

async function send(
  { client, team }: Connection,
  { text }: DocumentSet,
  { prune, global: isGlobal }: ApplyFlags,
  dryRun: boolean,
): Promise<Result> {
  const init = { body: text, bodySerializer: (body: unknown) => body, headers: { "content-type": "application/x-yaml" } };
  if (!isGlobal)
    return client.post("/api/v2/team/{team}/apply", { params: { path: { team: await team() }, query: { dryRun, prune } }, ...init });
  if (prune !== undefined)
    throw new Failure(exitCodes.notUnderstood, "Only documents of a team can be deleted by a label", "Leave out --prune or --global");
  return client.post("/api/v2/apply", { params: { query: { dryRun } }, ...init });
}

/** @throws {Failure} with a line for each problem */
function refuseProblems({ problems }: Result, set: DocumentSet): void {
  if (problems.length === 0) return;
  const isDenied = problems.every(({ reason }) => reason === "PERMISSION_DENIED");
  const count = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
  throw new Failure(
    isDenied ? exitCodes.notAllowed : exitCodes.notUnderstood,
    `Nothing was changed: ${count}\n${describeProblems(problems, set).trimEnd()}`,
  );
}

async function printResult(output: Format, result: Result): Promise<void> {
  if (output === "json" || output === "yaml") await printValue(output, result);
  else if (output === "name") await printList(output, result.documents, { columns: [], nameOf: ({ kind, name }) => `${kind}/${name}` });
  else if (result.dryRun) write(describeChanges(result.documents) || describeApplied(result.documents));
  else write(describeApplied(result.documents));
  warn(result);
}

function warn({ documents }: Result): void {
  for (const { kind, name, warnings = [] } of documents)
    for (const warning of warnings) process.stderr.write(`millrace: Warning: ${plainLine(`${kind} ${name}: ${warning}`)}\n`);
}

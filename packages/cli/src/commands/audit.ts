import type { Schemas } from "@millrace/client/client.ts";
import { Command } from "commander";
import { connect } from "../connection/connect.ts";
import { exitCodes, Failure } from "../failure.ts";
import { formatDate } from "../output/format-time.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, outputOption, type Printed, printList, printValue } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { exampleCommand, readCount } from "./client-command.ts";

type Decision = Schemas["DecisionRecord"];
type Check = Schemas["DecisionCheck"];

const printed: Printed<Decision> = {
  columns: [
    { header: "NUMBER", value: ({ number }) => String(number) },
    { header: "DATE", value: ({ at }) => formatDate(at) },
    { header: "DECISION", value: ({ decision }) => decision, isStatus: true },
    { header: "TYPE", value: ({ type }) => type },
    { header: "WORKFLOW", value: ({ workflow }) => `${workflow.name} version ${workflow.version}` },
    { header: "BY", value: ({ votes }) => votes.map(({ name, principal }) => name ?? principal).join(", ") },
    { header: "ACTION", value: ({ action }) => action },
  ],
  nameOf: ({ action }) => action,
};

/** `millrace audit …`: the audit records of decisions, and the verification of their chain. */
export function auditCommand(): Command {
  const audit = new Command("audit").description("Read and verify the records of decisions");
  const list = exampleCommand("list", "List the records of decisions, newest first", ["audit list", "audit list --action $ACTION -o json"])
    .option("--action <ACTION>", "only of this action")
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 50)
    .addOption(outputOption())
    .action(listDecisions);
  const verify = exampleCommand("verify", "Check that no decision was changed, added or removed", [
    "audit verify",
    "audit verify --noted 17:$HASH",
  ])
    .option("--noted <NUMBER:HASH>", "a record that you noted earlier, which must be unchanged", readPlace)
    .addOption(outputOption())
    .action(verifyDecisions);
  return audit.addCommand(list).addCommand(verify);
}

function readPlace(text: string): { number: number; hash: string } {
  const match = /^([1-9]\d{0,15}):([0-9a-fA-F]{64})$/.exec(text);
  if (!match) throw new Failure(exitCodes.notUnderstood, `--noted ${text} is not NUMBER:HASH`, "Take both from an earlier check");
  return { number: Number(match[1]), hash: match[2]! };
}

async function listDecisions(
  { action, limit, output }: { action?: string; limit: number; output: Format },
  command: Command,
): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team() }, query: { action, limit } };
  const { content, totalElements } = await connection.client.get("/api/v2/team/{team}/decision/query", { params });
  await printList(output, content, printed);
  if (totalElements > content.length) notify(`${content.length} of ${totalElements}. --limit shows more.`);
}

async function verifyDecisions(
  { noted, output }: { noted?: { number: number; hash: string }; output: Format },
  command: Command,
): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team() }, query: { ...noted } };
  const check = await connection.client.get("/api/v2/team/{team}/decision/verify", { params });
  if (output === "json" || output === "yaml") await printValue(output, check);
  else write(describe(check));
  if (!check.valid) process.exitCode = exitCodes.failed;
}

function describe({ valid, checked, head, anchor, problems, truncated }: Check): string {
  const removed = anchor.number > 0 ? [`Records 1 to ${anchor.number} were removed with history`] : [];
  const found = problems.map(
    ({ number, action, message }) => `  ${number}: ${plainLine(message)}${action === null ? "" : ` (action ${action})`}`,
  );
  const result = valid ? `${checked} records checked: the chain is unbroken` : `${checked} records checked: the chain is broken`;
  const last = head.number > 0 ? [`Last record: ${head.number}:${head.hash}`] : [];
  return [result, ...found, ...(truncated ? ["  …"] : []), ...removed, ...last].join("\n");
}

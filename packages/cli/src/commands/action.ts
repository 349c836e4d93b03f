import type { Schemas } from "@millrace/client/client.ts";
import { Command } from "commander";
import { connect } from "../connection/connect.ts";
import { formatDate } from "../output/format-time.ts";
import { type Format, outputOption, type Printed, printList } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { readField } from "../run/read-params.ts";
import { collect, collectOf, exampleCommand, readCount } from "./client-command.ts";

type Action = Schemas["Action"];
const statuses = ["submitted", "approved", "rejected", "cancelled"] as const;

const printed: Printed<Action> = {
  columns: [
    { header: "ID", value: ({ id }) => id },
    { header: "TYPE", value: ({ type }) => type },
    { header: "STATUS", value: ({ status }) => status, isStatus: true },
    { header: "WORKFLOW", value: ({ workflowName }) => workflowName },
    { header: "TASK", value: ({ taskName }) => taskName },
    { header: "VOTES", value: ({ numberOfApprovals, approvalsRequired }) => `${numberOfApprovals} of ${approvalsRequired}` },
    { header: "CREATED", value: ({ creationDate }) => formatDate(creationDate) },
    { header: "RUN", value: ({ workflowRunRef }) => workflowRunRef },
  ],
  nameOf: ({ id }) => id,
};

/** `millrace action …`: approvals and manual tasks. */
export function actionCommand(): Command {
  const action = new Command("action").description("Decide approvals and manual tasks");
  const list = exampleCommand("list", "List actions, newest first", [
    "action list",
    "action list --mine -o name",
    "action list --status approved",
  ])
    .option("--status <STATUS>", `${statuses.join(", ")}; default: submitted, which are open; can be repeated`, collectOf(statuses))
    .option("--workflow <NAME>", "only of this workflow; can be repeated", collect)
    .option("--mine", "only actions that need your vote")
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 50)
    .addOption(outputOption())
    .action(listActions);
  const approve = exampleCommand("approve", "Approve actions", [
    'action approve $ACTION --comment "Looks good"',
    "action approve $ACTION --field version=1.4.0 --field percent:=10",
  ])
    .argument("<ACTION...>", "IDs of actions")
    .option("--comment <TEXT>", "saved with your vote")
    .option("--field <NAME=TEXT>", "a field to fill in; NAME:=JSON for a value that is not text; can be repeated", collect)
    .action((ids: string[], flags: VoteFlags, command: Command) => vote(ids, true, flags, command));
  const reject = exampleCommand("reject", "Reject actions", ['action reject $ACTION --comment "Not on a Friday"'])
    .argument("<ACTION...>", "IDs of actions")
    .option("--comment <TEXT>", "saved with your vote")
    .action((ids: string[], flags: VoteFlags, command: Command) => vote(ids, false, flags, command));
  const comment = exampleCommand("comment", "Comment on an action without deciding it", ['action comment $ACTION "Which region?"'])
    .argument("<ACTION>", "ID of an action")
    .argument("<TEXT>", "the comment")
    .action(commentOn);
  const delegate = exampleCommand("delegate", "Give your vote on an action to someone else", [
    "action delegate $ACTION --user kim@example.com",
    "action delegate $ACTION --group release-managers",
  ])
    .argument("<ACTION>", "ID of an action")
    .option("--user <EMAIL>", "email address or ID of a member of the team")
    .option("--group <NAME>", "name or ID of an approver group, if one approval is required")
    .option("--comment <TEXT>", "saved with the delegation")
    .action(delegateVote);
  for (const one of [list, approve, reject, comment, delegate]) action.addCommand(one);
  return action;
}

interface VoteFlags {
  comment?: string;
  field?: string[];
}

interface DelegateFlags {
  user?: string;
  group?: string;
  comment?: string;
}

interface ListFlags {
  status?: (typeof statuses)[number][];
  workflow?: string[];
  mine?: true;
  limit: number;
  output: Format;
}

async function listActions({ status, workflow, mine, limit, output }: ListFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const query = { statuses: status ?? ["submitted" as const], workflows: workflow, mine, limit, order: "DESC" as const };
  const params = { path: { team: await connection.team() }, query };
  const { content, totalElements } = await connection.client.get("/api/v2/team/{team}/action/query", { params });
  await printList(output, content, printed);
  if (totalElements > content.length) notify(`${content.length} of ${totalElements}. --limit shows more.`);
}

/** Casts all votes, or none. */
async function vote(ids: string[], approved: boolean, { comment: comments, field }: VoteFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const values = field && Object.fromEntries(field.map(readField).map(({ name, value }) => [name, value]));
  const body = ids.map((id) => ({ id, approved, comments, values }));
  await connection.client.put("/api/v2/team/{team}/action", { params: { path: { team: await connection.team() } }, body });
  for (const id of ids) write(`${approved ? "Approved" : "Rejected"} action ${id}`);
}

async function commentOn(actionId: string, comments: string, _flags: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), actionId } };
  await connection.client.post("/api/v2/team/{team}/action/{actionId}/comment", { params, body: { comments } });
  write(`Commented on action ${actionId}`);
}

async function delegateVote(actionId: string, { user, group, comment: comments }: DelegateFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), actionId } };
  await connection.client.post("/api/v2/team/{team}/action/{actionId}/delegate", { params, body: { user, group, comments } });
  write(`Delegated your vote on action ${actionId} to ${user ?? group}`);
}

import type { Schemas } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { connect } from "../../connection/connect.ts";
import { formatDate } from "../../output/format-time.ts";
import { plainLine } from "../../output/plain-text.ts";
import { type Format, outputOption, type Printed, printList } from "../../output/print.ts";
import { write } from "../../output/terminal.ts";
import { exampleCommand, readCount } from "../client-command.ts";

/** Workflows whose new versions need an approval, and the versions that wait for one. */
export function protectCommands(): Command[] {
  return [
    exampleCommand("protect", "Require the approval of a group for new versions of a workflow", [
      "workflow protect release --group release-managers",
      "workflow protect release --group release-managers --approvals 2",
    ])
      .argument("<WORKFLOW>", "name or ID of the workflow")
      .requiredOption("--group <GROUP>", "name or ID of the approver group")
      .option("--approvals <NUMBER>", "how many members of the group must approve", readCount, 1)
      .action(protectWorkflow),
    exampleCommand("unprotect", "Turn off the protection of a workflow, and close its open proposals", ["workflow unprotect release"])
      .argument("<WORKFLOW>", "name or ID of the workflow")
      .action(unprotectWorkflow),
    exampleCommand("proposals", "List the proposed versions of a protected workflow, newest first", [
      "workflow proposals release",
      "workflow proposals release -o name",
    ])
      .argument("<WORKFLOW>", "name or ID of the workflow")
      .addOption(outputOption())
      .action(listProposals),
  ];
}

const path = "/api/v2/team/{team}/workflow/{workflow}/protection";

async function protectWorkflow(name: string, { group, approvals }: { group: string; approvals: number }, command: Command): Promise<void> {
  const connection = connect(command);
  const { approverGroupName, approvalsRequired } = await connection.client.put(path, {
    params: { path: { team: await connection.team(), workflow: name } },
    body: { approverGroup: group, approvalsRequired: approvals },
  });
  const needs = approvalsRequired === 1 ? "one approval" : `${approvalsRequired} approvals`;
  write(`New versions of workflow ${plainLine(name)} need ${needs} of ${plainLine(approverGroupName ?? group)}`);
}

async function unprotectWorkflow(name: string, _: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  await connection.client.delete(path, { params: { path: { team: await connection.team(), workflow: name } } });
  write(`Workflow ${plainLine(name)} is not protected`);
}

const printed: Printed<Schemas["WorkflowProposal"]> = {
  columns: [
    { header: "VERSION", value: ({ version }) => String(version) },
    { header: "STATUS", value: ({ status }) => status, isStatus: true },
    { header: "DATE", value: ({ creationDate }) => formatDate(creationDate) },
    { header: "BY", value: ({ author }) => author },
    { header: "ACTION", value: ({ actionRef }) => actionRef },
    { header: "REASON", value: ({ reason }) => reason, canBeCut: true },
  ],
  nameOf: ({ actionRef }) => actionRef,
};

async function listProposals(name: string, { output }: { output: Format }, command: Command): Promise<void> {
  const connection = connect(command);
  const params = { path: { team: await connection.team(), workflow: name } };
  await printList(output, await connection.client.get("/api/v2/team/{team}/workflow/{workflow}/proposal", { params }), printed);
}

import type { Schemas } from "@millrace/client/client.ts";
import { Command } from "commander";
import { connect } from "../connection/connect.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, outputOption, type Printed, printList } from "../output/print.ts";
import { write } from "../output/terminal.ts";
import { exampleCommand, readCount } from "./client-command.ts";

const groupOption = ["--group <GROUP>", "name or ID of the approver group"] as const;
const globalOption = ["--global", "a secret of the instance: in each team the group of that name approves"] as const;
const approvalsOption = ["--approvals <NUMBER>", "how many members of the group must approve", readCount, 1] as const;

/** `millrace secret protect` */
export function secretCommand(): Command {
  const secret = new Command("secret").description("Protect secrets, and see what uses them");
  const protect = exampleCommand("protect", "Restrict a secret to runs of versions that a group has approved", [
    "secret protect deploy-key --group security",
    "secret protect deploy-key --group security --approvals 2 --approve-current",
    "secret protect registry --global --group security",
  ])
    .argument("<NAME>", "name of the parameter, of type password or secret")
    .requiredOption(...groupOption)
    .option(...approvalsOption)
    .option("--approve-current", "approve the latest version of each workflow that uses it now")
    .option(...globalOption)
    .action(protectSecret);
  const unprotect = exampleCommand("unprotect", "Let all workflows of the team use a secret again", ["secret unprotect deploy-key"])
    .argument("<NAME>", "name of the secret")
    .option(...globalOption)
    .action(unprotectSecret);
  const uses = exampleCommand("uses", "List the workflows whose latest version uses a secret", ["secret uses deploy-key"])
    .argument("<NAME>", "name of the secret")
    .option(...globalOption)
    .addOption(outputOption())
    .action(listUses);
  for (const command of [protect, unprotect, uses]) secret.addCommand(command);
  return secret;
}

const path = "/api/v2/team/{team}/parameters/{name}/protection";
const globalPath = "/api/v2/parameters/{name}/protection";

interface ProtectFlags {
  group: string;
  approvals: number;
  approveCurrent?: boolean;
  global?: boolean;
}

async function protectSecret(
  name: string,
  { group, approvals, approveCurrent = false, global }: ProtectFlags,
  command: Command,
): Promise<void> {
  const connection = connect(command);
  const body = { approverGroup: group, approvalsRequired: approvals, approveCurrent };
  const { approverGroupName, workflows } = global
    ? await connection.client.put(globalPath, { params: { path: { name } }, body })
    : await connection.client.put(path, { params: { path: { team: await connection.team(), name } }, body });
  write(`Versions that use secret ${plainLine(name)} need ${needs(approvals)} of ${plainLine(approverGroupName ?? group)}`);
  const refused = workflows.filter(({ approved }) => !approved).map(nameOfUse);
  if (refused.length > 0) write(`Runs of these workflows are refused until they are saved and approved: ${refused.join(", ")}`);
}

function nameOfUse(use: Use): string {
  return plainLine(use.team === undefined ? use.name : `${use.team}/${use.name}`);
}

function needs(approvals: number): string {
  return approvals === 1 ? "one approval" : `${approvals} approvals`;
}

async function unprotectSecret(name: string, { global }: { global?: boolean }, command: Command): Promise<void> {
  const connection = connect(command);
  if (global) await connection.client.delete(globalPath, { params: { path: { name } } });
  else await connection.client.delete(path, { params: { path: { team: await connection.team(), name } } });
  write(`Secret ${plainLine(name)} is not protected`);
}

type Use = Schemas["SecretProtection"]["workflows"][number] & { team?: string };

async function listUses(name: string, { output, global }: { output: Format; global?: boolean }, command: Command): Promise<void> {
  const connection = connect(command);
  const found = global
    ? await connection.client.get(globalPath, { params: { path: { name } } })
    : await connection.client.get(path, { params: { path: { team: await connection.team(), name } } });
  const printed: Printed<Use> = {
    columns: [
      ...(global ? [{ header: "TEAM", value: (use: Use) => use.team ?? "" }] : []),
      { header: "WORKFLOW", value: (use) => use.name },
      { header: "VERSION", value: ({ version }) => String(version) },
      { header: "GETS IT", value: ({ approved }) => (approved || !found.protected ? "yes" : "no") },
    ],
    nameOf: (use) => use.name,
  };
  await printList<Use>(output, found.workflows, printed);
}

/** `millrace team protect` */
export function teamCommand(): Command {
  const team = new Command("team").description("Protect all workflows of a team");
  const protect = exampleCommand("protect", "Require the approval of a group for new versions of all workflows", [
    "team protect --group release-managers",
  ])
    .requiredOption(...groupOption)
    .option(...approvalsOption)
    .action(protectTeam);
  const unprotect = exampleCommand("unprotect", "Turn off the protection of all workflows", ["team unprotect"]).action(unprotectTeam);
  for (const command of [protect, unprotect]) team.addCommand(command);
  return team;
}

async function protectTeam({ group, approvals }: Pick<ProtectFlags, "group" | "approvals">, command: Command): Promise<void> {
  const connection = connect(command);
  const name = await connection.team();
  const { approverGroupName } = await connection.client.put("/api/v2/team/{team}/protection", {
    params: { path: { team: name } },
    body: { approverGroup: group, approvalsRequired: approvals },
  });
  write(`New versions of all workflows of team ${plainLine(name)} need ${needs(approvals)} of ${plainLine(approverGroupName ?? group)}`);
}

async function unprotectTeam(_: unknown, command: Command): Promise<void> {
  const connection = connect(command);
  const name = await connection.team();
  await connection.client.delete("/api/v2/team/{team}/protection", { params: { path: { team: name } } });
  write(`Workflows of team ${plainLine(name)} now have only their own protection`);
}

import { type Command, Option } from "commander";
import { connect } from "../connection/connect.ts";
import { formatDate } from "../output/format-time.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, outputOption, printValue } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { exampleCommand } from "./client-command.ts";

interface InviteFlags {
  role: "owner" | "editor" | "reader";
  /** `--no-mail` sets it to false. */
  mail: boolean;
  output: Format;
}

/** `millrace invite` */
export function inviteCommand(): Command {
  return exampleCommand("invite", "Invite a person to the team, and write the link to standard output: it is shown only once", [
    "invite bob@example.com --role reader",
    "invite bob@example.com --no-mail > link",
  ])
    .argument("<EMAIL>", "address of the person; only this person can use the link")
    .addOption(new Option("--role <ROLE>", "in the team").choices(["owner", "editor", "reader"]).default("editor"))
    .option("--no-mail", "don't send the link by email")
    .addOption(outputOption())
    .action(invite);
}

async function invite(email: string, { role, mail, output }: InviteFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const path = { team: await connection.team() };
  const body = { email, role, ...(!mail && { mail }) };
  const invitation = await connection.client.post("/api/v2/team/{team}/invitation", { params: { path }, body });
  if (output === "json" || output === "yaml") return printValue(output, invitation);
  write(plainLine(invitation.link));
  const sent = invitation.mail === undefined ? "Pass it on to this person only" : "It is also sent by email";
  notify(`The link works once, until ${formatDate(invitation.expirationDate) ?? "it is revoked"}. ${sent}.`);
}

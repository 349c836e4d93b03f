import { Command, Option } from "commander";
import { type Connection, connect } from "../connection/connect.ts";
import { confirm } from "../connection/read-secret.ts";
import { exitCodes, Failure } from "../failure.ts";
import { tokenKind } from "../kinds/people.ts";
import { formatDate } from "../output/format-time.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, outputOption, printList, printValue } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { readDuration } from "../run/read-params.ts";
import { collect, exampleCommand, readCount } from "./client-command.ts";

const types = ["user", "team", "workflow", "global"] as const;

/** `millrace token …` */
export function tokenCommand(): Command {
  const token = new Command("token").description("Create and revoke access tokens");
  const list = exampleCommand("list", "List the tokens that you can see", ["token list"])
    .option("--limit <NUMBER>", "most results to show, up to 1000", readCount, 100)
    .addOption(outputOption())
    .action(listTokens);
  const create = exampleCommand("create", "Create a token, and write it to standard output: it is shown only once", [
    "token create ci --type team --permission workflow/action --permission workflowrun/read --expires 90d",
    "token create laptop > token",
  ])
    .argument("<NAME>", "what it is for")
    .addOption(new Option("--type <TYPE>", "what it acts as").choices(types).default("user"))
    .option("--workflow <NAME>", "with --type workflow: name of the workflow")
    .option(
      "--permission <PERMISSION>",
      "such as workflow/action, or ** for all; can be repeated. A user token has the permissions of its user",
      collect,
    )
    .option("--expires <TIME>", "time until it expires, such as 12h or 90d; default: never")
    .addOption(outputOption())
    .action(createToken);
  const remove = exampleCommand("delete", "Revoke tokens", ["token delete ci --yes"])
    .argument("<TOKEN...>", "names or IDs")
    .option("--yes", "don't ask for confirmation")
    .action(deleteTokens);
  for (const one of [list, create, remove]) token.addCommand(one);
  return token;
}

async function listTokens({ limit, output }: { limit: number; output: Format }, command: Command): Promise<void> {
  const { content } = await tokenKind.list({ connection: connect(command), team: undefined }, { limit, page: 0 });
  await printList(output, content, tokenKind);
}

interface CreateFlags {
  type: (typeof types)[number];
  workflow?: string;
  permission?: string[];
  expires?: string;
  output: Format;
}

async function createToken(name: string, { type, workflow, permission, expires, output }: CreateFlags, command: Command): Promise<void> {
  const connection = connect(command);
  const expirationDate = expires === undefined ? undefined : new Date(Date.now() + readLifetime(expires)).toISOString();
  const principal = await principalOf(type, workflow, connection);
  const created = await connection.client.post("/api/v2/token", {
    body: { type, name, principal, permissions: permission, expirationDate },
  });
  if (output === "json" || output === "yaml") return printValue(output, created);
  write(plainLine(created.token));
  notify(`Millrace keeps only its hash: it can't be shown again. Expires: ${formatDate(created.expirationDate) ?? "never"}`);
}

/** What the token acts as; undefined: the caller, or the instance. */
async function principalOf(type: CreateFlags["type"], workflow: string | undefined, connection: Connection): Promise<string | undefined> {
  if (type === "team") return await connection.team();
  if (type === "user" && (await connection.client.get("/api/v2/auth/caller")).userId == null)
    throw new Failure(
      exitCodes.notUnderstood,
      "A user token acts as you, and you are signed in as no user",
      "Add --type team or --type global",
    );
  if (type !== "workflow") return undefined;
  if (workflow === undefined) throw new Failure(exitCodes.notUnderstood, "The workflow of the token is missing", "Add --workflow NAME");
  return `${await connection.team()}/${workflow}`;
}

function readLifetime(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  return days === undefined ? readDuration(text) : Number(days) * 86_400_000;
}

async function deleteTokens(names: string[], { yes }: { yes?: true }, command: Command): Promise<void> {
  const scope = { connection: connect(command), team: undefined };
  await confirm(`Revoke ${names.length === 1 ? `token ${names[0]}` : `${names.length} tokens (${names.join(", ")})`}`, yes === true);
  for (const name of names) {
    await tokenKind.remove!(scope, name);
    write(`Revoked token ${name}`);
  }
}

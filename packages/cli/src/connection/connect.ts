import { createClient, type MillraceClient } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { environment } from "../environment.ts";
import { exitCodes, Failure } from "../failure.ts";
import { type ConnectionFlags, chooseConnection, readWanted } from "./choose-connection.ts";
import { configFile, isOpenToOthers, readConfig } from "./config-file.ts";
import { retryingFetch } from "./retrying-fetch.ts";

export interface Connection {
  client: MillraceClient;
  url: string;
  /** The team of the command: the named one, or the caller's only team. @throws {Failure} */
  team(): Promise<string>;
  /** Undefined if no team was named. */
  namedTeam: string | undefined;
}

/** Uses the flags of the command, the environment and the saved configuration. @throws {Failure} when something is missing */
export function connect(command: Command): Connection {
  return connectBy(command.optsWithGlobals());
}

export function connectBy(flags: ConnectionFlags): Connection {
  const file = configFile(environment);
  const choice = chooseConnection(readWanted(flags, environment), readConfig(file));
  if (choice.token === undefined)
    throw new Failure(
      exitCodes.notAllowed,
      `There is no token for ${choice.url}`,
      `Sign in with: millrace login ${choice.url}, or set MILLRACE_TOKEN, and MILLRACE_URL to its address`,
    );
  if (choice.context !== undefined && isOpenToOthers(file))
    process.stderr.write(`millrace: Other users can read ${file}, which has your tokens. Close it with: chmod 600 ${file}\n`);
  return open(choice.url, choice.token, choice.team);
}

export function open(url: string, token: string, namedTeam?: string): Connection {
  const client = createClient({ url, token, fetch: retryingFetch, headers: { "user-agent": "millrace-cli" } });
  let team: Promise<string> | undefined;
  const findTeam = async () => {
    const names = await listTeamNames(client);
    if (names.length === 1) return names[0]!;
    const known = names.length === 0 ? "" : `, such as ${names.join(", ")}`;
    throw new Failure(exitCodes.notUnderstood, "The team is missing", `Add --team TEAM, or set MILLRACE_TEAM${known}`);
  };
  return {
    client,
    url,
    namedTeam,
    team: () => {
      team ??= namedTeam === undefined ? findTeam() : Promise.resolve(namedTeam);
      return team;
    },
  };
}

/** A few of the teams that the caller can use: a global token belongs to no team and can read all. */
export async function listTeamNames(client: MillraceClient): Promise<string[]> {
  const { teams } = await client.get("/api/v2/auth/caller");
  if (teams.length > 0) return teams.slice(0, 5).map(({ name }) => name);
  const { content } = await client.get("/api/v2/team/query", { params: { query: { limit: 5, page: 0, order: "ASC" } } });
  return content.map(({ name }) => name);
}

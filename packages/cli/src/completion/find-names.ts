import type { Command } from "commander";
import type { ConnectionFlags } from "../connection/choose-connection.ts";
import { configFile, readConfig } from "../connection/config-file.ts";
import { connectBy } from "../connection/connect.ts";
import { environment } from "../environment.ts";
import { findKind, kindNames } from "../kinds/all-kinds.ts";
import { listViews } from "../run/run-filter.ts";
import { completeWords, type NameKind } from "./complete-words.ts";

/** The maximum time to wait for names from the service after a key press. */
const patienceMs = 1_500;
const mostNames = 200;

/**
 * For the shell scripts: `millrace __complete WORD… CURRENT` prints each possible word on a line. It never fails, since an error message
 * would appear in the line being typed. It prints no name that a shell would interpret.
 */
export async function writeCompletions(program: Command, line: readonly string[]): Promise<void> {
  const completion = completeWords(program, line);
  if (completion === undefined) return;
  const names = "words" in completion ? completion.words : await findNames(completion.names, completion.of, line).catch(() => []);
  const current = line.at(-1) ?? "";
  const safe = names.filter((name) => name.startsWith(current) && isHarmless(name, completion)).slice(0, mostNames);
  // A request that continues would keep the one who waits.
  await new Promise((resolve) => process.stdout.write(safe.map((name) => `${name}\n`).join(""), resolve));
  process.exit(0);
}

/** An object whose name looks like a flag would become one if it is completed at the start of a word. */
function isHarmless(name: string, completion: object): boolean {
  return /^[\w.@:+/-]+$/.test(name) && ("words" in completion || !name.startsWith("-"));
}

async function findNames(kind: NameKind, of: string | undefined, line: readonly string[]): Promise<string[]> {
  if (kind === "kind") return [...kindNames];
  if (kind === "context") return Object.keys(readConfig(configFile(environment)).contexts);
  const late = new Promise<string[]>((resolve) => setTimeout(() => resolve([]), patienceMs).unref());
  return Promise.race([askService(kind, of, line), late]);
}

async function askService(kind: NameKind, of: string | undefined, line: readonly string[]): Promise<string[]> {
  const connection = connectBy(flagsOf(line));
  const { client } = connection;
  const query = { limit: mostNames, page: 0 };
  if (kind === "run") {
    const params = { path: { team: await connection.team() }, query: { ...query, order: "DESC" as const } };
    return (await client.get("/api/v2/team/{team}/workflowrun/query", { params })).content.map(({ id }) => id);
  }
  if (kind === "action") {
    const params = { path: { team: await connection.team() }, query: { ...query, statuses: ["submitted" as const] } };
    return (await client.get("/api/v2/team/{team}/action/query", { params })).content.map(({ id }) => id);
  }
  if (kind === "bulk") {
    const params = { path: { team: await connection.team() }, query };
    return (await client.get("/api/v2/team/{team}/workflowrun/bulk", { params })).content.map(({ id }) => id);
  }
  if (kind === "view") return (await listViews(connection)).map(({ name }) => name);
  const found = findKind(kind === "thing" ? (of ?? "") : kind);
  const team = found.place === "instance" || line.includes("--global") ? undefined : await connection.team();
  return (await found.list({ connection, team }, query)).content.map(found.nameOf);
}

/** The flags that are already on the line, at any position. */
function flagsOf(line: readonly string[]): ConnectionFlags {
  const after = (flag: string) => (line.includes(flag) ? line[line.indexOf(flag) + 1] : undefined);
  return { url: after("--url"), team: after("--team"), context: after("--context") };
}

import type { Schemas } from "@millrace/client/client.ts";
import { type Command, Option } from "commander";
import { isUnencrypted, nameOf, readAddress } from "../connection/address.ts";
import { canUseBrowser, logInByBrowser } from "../connection/browser-login.ts";
import { contextOf, readWanted, unknownContext } from "../connection/choose-connection.ts";
import { type Config, configFile, readConfig, writeConfig } from "../connection/config-file.ts";
import { listTeamNames, open } from "../connection/connect.ts";
import { askSecret, readPiped } from "../connection/read-secret.ts";
import { environment } from "../environment.ts";
import { exitCodes, Failure } from "../failure.ts";
import { plainLine } from "../output/plain-text.ts";
import { write } from "../output/terminal.ts";
import { exampleCommand } from "./client-command.ts";

/** `millrace login`, `millrace logout` */
export function signInCommands(): Command[] {
  const login = exampleCommand("login", "Sign in to a service in your browser or with an access token, and save the token", [
    "login https://millrace.example.com",
    "login https://millrace.example.com --token-stdin < token",
  ])
    .argument("[URL]", "address of the service; default: that of the current context")
    .option("--name <NAME>", "name of the context; default: the host of the address")
    .option("--token", "ask for an access token instead of using a browser")
    .option("--token-stdin", "read the token from standard input; default: MILLRACE_TOKEN, if it is set")
    .addOption(new Option("--web", "use a browser, even without a terminal or with MILLRACE_TOKEN").conflicts(["token", "tokenStdin"]))
    .action(logIn);
  const logout = exampleCommand("logout", "Forget the saved token of a context", ["logout", "logout staging"])
    .argument("[NAME]", "the context; default: the current one")
    .action(logOut);
  return [login, logout];
}

interface Ways {
  token?: true;
  tokenStdin?: true;
  web?: true;
}

interface LoginFlags extends Ways {
  name?: string;
}

async function logIn(given: string | undefined, { name, ...ways }: LoginFlags, command: Command): Promise<void> {
  const file = configFile(environment);
  const config = readConfig(file);
  const wanted = readWanted(command.optsWithGlobals(), environment);
  const context = wanted.context ?? config.current;
  const known = given ?? wanted.url ?? (context === undefined ? undefined : contextOf(config, context)?.url);
  if (known === undefined) throw new Failure(exitCodes.notUnderstood, "The address of the service is missing", "Run: millrace login URL");
  const url = readAddress(known);
  if (isUnencrypted(url)) process.stderr.write(`millrace: ${url} is not encrypted: everyone on the way can read the token. Use https\n`);
  const token = await readToken(url, ways);
  const { client } = open(url, token);
  const caller = await client.get("/api/v2/auth/caller");
  const key = name ?? (given === undefined ? context : undefined) ?? nameOf(url);
  const teams = wanted.team === undefined ? await listTeamNames(client) : [wanted.team];
  const team = teams.length === 1 ? teams[0] : undefined;
  // Object.fromEntries also keeps names such as `__proto__`, which an assignment would lose.
  const contexts = Object.fromEntries([...Object.entries(config.contexts), [key, { url, token, team }]]);
  writeConfig(file, { current: key, contexts });
  write(`Signed in to ${url} as ${describe(caller)}. Context: ${key}${team === undefined ? "" : plainLine(`, team: ${team}`)}`);
}

async function readToken(url: string, ways: Ways): Promise<string> {
  const token = await findToken(url, ways);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Failure(exitCodes.notUnderstood, "The token is empty, or more than one word", "Give only the token");
  return token;
}

/** A given token takes precedence: scripts never wait for a browser. */
async function findToken(url: string, { token, tokenStdin, web }: Ways): Promise<string> {
  if (tokenStdin) return await readPiped();
  if (web) return await logInByBrowser(url);
  if (environment.MILLRACE_TOKEN && !token) return environment.MILLRACE_TOKEN;
  if (!process.stdin.isTTY)
    throw new Failure(exitCodes.notUnderstood, "The token is missing", "Use --token-stdin or --web, or set MILLRACE_TOKEN");
  if (!token && (await canUseBrowser(url))) return await logInByBrowser(url);
  return await askSecret(`Access token for ${url} (create one on your profile page): `);
}

function describe({ name, kind }: Schemas["Caller"]): string {
  return plainLine(kind === "user" || kind === "session" ? name : `${name} (${kind} token)`);
}

function logOut(given: string | undefined, _: unknown, command: Command): void {
  const file = configFile(environment);
  const config = readConfig(file);
  const name = given ?? readWanted(command.optsWithGlobals(), environment).context ?? config.current;
  if (name === undefined) throw new Failure(exitCodes.notFound, "There is no current context", "Name one: millrace logout NAME");
  writeConfig(file, withoutToken(config, name));
  write(`Signed out of ${name}. The token itself is still valid: millrace token delete revokes one`);
}

function withoutToken(config: Config, name: string): Config {
  const saved = contextOf(config, name);
  if (saved === undefined) throw unknownContext(config, name);
  const { token: _, ...rest } = saved;
  return { ...config, contexts: { ...config.contexts, [name]: rest } };
}

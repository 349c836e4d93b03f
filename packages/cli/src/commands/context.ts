import { Command } from "commander";
import { contextOf, readWanted, unknownContext } from "../connection/choose-connection.ts";
import { type Config, configFile, readConfig, writeConfig } from "../connection/config-file.ts";
import { environment } from "../environment.ts";
import { exitCodes, Failure } from "../failure.ts";
import { type Format, outputOption, type Printed, printList, printOne } from "../output/print.ts";
import { write } from "../output/terminal.ts";
import { exampleCommand } from "./client-command.ts";

/** The displayed part of a saved service: never its token. */
interface ShownContext {
  name: string;
  isCurrent: boolean;
  url: string;
  team: string | undefined;
  isSignedIn: boolean;
}

const printed: Printed<ShownContext> = {
  columns: [
    { header: "", value: ({ isCurrent }) => (isCurrent ? "*" : "") },
    { header: "NAME", value: ({ name }) => name },
    { header: "URL", value: ({ url }) => url },
    { header: "TEAM", value: ({ team }) => team },
    { header: "SIGNED IN", value: ({ isSignedIn }) => (isSignedIn ? "yes" : "no") },
  ],
  nameOf: ({ name }) => name,
};

/** `millrace context …`: the services saved by `millrace login`. */
export function contextCommand(): Command {
  const context = new Command("context").description("Manage the saved services");
  const list = exampleCommand("list", "List the saved services", ["context list", "context list -o name"])
    .addOption(outputOption())
    .action(({ output }: { output: Format }) => printList(output, shownContexts(readConfig(configFile(environment))), printed));
  const use = exampleCommand("use", "Set the service and the team for the next commands", [
    "context use staging",
    "context use staging --team mill",
  ])
    .argument("<NAME>", "as shown by context list")
    .action(useContext);
  const show = exampleCommand("show", "Show a saved service, without its token", ["context show", "context show staging -o json"])
    .argument("[NAME]", "default: the current one")
    .addOption(outputOption())
    .action(showContext);
  const remove = exampleCommand("remove", "Forget a saved service and its token", ["context remove staging"])
    .argument("<NAME>", "as shown by context list")
    .action(removeContext);
  for (const command of [list, use, show, remove]) context.addCommand(command);
  return context;
}

function shownContexts({ current, contexts }: Config): ShownContext[] {
  return Object.entries(contexts).map(([name, { url, team, token }]) => ({
    ...{ name, isCurrent: name === current, url, team },
    isSignedIn: token !== undefined,
  }));
}

function useContext(name: string, _: unknown, command: Command): void {
  const [file, config] = read();
  const saved = contextOf(config, name);
  if (saved === undefined) throw unknownContext(config, name);
  const { team = saved.team } = command.optsWithGlobals<{ team?: string }>();
  writeConfig(file, { current: name, contexts: { ...config.contexts, [name]: { ...saved, ...(team !== undefined && { team }) } } });
  write(`The next commands use ${name} (${saved.url})${team === undefined ? "" : `, team ${team}`}`);
}

async function showContext(given: string | undefined, { output }: { output: Format }, command: Command): Promise<void> {
  const [, config] = read();
  const name = given ?? readWanted(command.optsWithGlobals(), environment).context ?? config.current;
  if (name === undefined) throw new Failure(exitCodes.notFound, "There is no current context", "Sign in with: millrace login URL");
  const shown = shownContexts(config).find((one) => one.name === name);
  if (shown === undefined) throw unknownContext(config, name);
  await printOne(output, shown, printed);
}

function removeContext(name: string): void {
  const [file, config] = read();
  if (contextOf(config, name) === undefined) throw unknownContext(config, name);
  const { [name]: _, ...contexts } = config.contexts;
  writeConfig(file, { ...(config.current !== name && { current: config.current }), contexts });
  write(`Removed ${name}`);
}

function read(): [string, Config] {
  const file = configFile(environment);
  return [file, readConfig(file)];
}

import { debuglog } from "node:util";
import { ApiError } from "@millrace/client/api-error.ts";
import { Command, CommanderError, type OutputConfiguration } from "commander";
import { actionCommand } from "./commands/action.ts";
import { adminCommands } from "./commands/admin.ts";
import { applyCommands } from "./commands/apply.ts";
import { auditCommand } from "./commands/audit.ts";
import { addConnectionOptions } from "./commands/client-command.ts";
import { completionCommand } from "./commands/completion.ts";
import { contextCommand } from "./commands/context.ts";
import { dbCommands } from "./commands/db.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { insightsCommand } from "./commands/insights.ts";
import { inviteCommand } from "./commands/invite.ts";
import { signInCommands } from "./commands/login.ts";
import { secretCommand, teamCommand } from "./commands/protect-secret.ts";
import { resourceCommands } from "./commands/resources.ts";
import { runCommand } from "./commands/run/run.ts";
import { scheduleCommand } from "./commands/schedule.ts";
import { serveCommand } from "./commands/serve.ts";
import { taskCommand } from "./commands/task.ts";
import { tokenCommand } from "./commands/token.ts";
import { versionCommand } from "./commands/version.ts";
import { inKnownOrder } from "./commands/word-order.ts";
import { testCommand } from "./commands/workflow/test.ts";
import { tryCommand } from "./commands/workflow/try.ts";
import { workflowCommand } from "./commands/workflow/workflow.ts";
import { writeCompletions } from "./completion/find-names.ts";
import { describeFailure, exitCodeOf, exitCodes, Failure, maskTokens } from "./failure.ts";

const debug = debuglog("millrace");

/** Every command has a file in `commands` and a line here. What a command needs is loaded when it runs, so help is shown immediately. */
export function commandLine(output: OutputConfiguration = {}): Command {
  const program = new Command("millrace")
    .description("Self-hosted workflow automation: versioned graphs of tasks, run durably on PostgreSQL.")
    .usage("COMMAND")
    .helpCommand("help [COMMAND]", "Show help for a command")
    .addHelpText("after", "\nSettings are environment variables, such as MILLRACE_PORT and DATABASE_URL: see docs/configuration.md.");
  addConnectionOptions(program);
  program.commandsGroup("Workflows and runs:");
  for (const command of clientCommands()) program.addCommand(command);
  program.commandsGroup("The service:");
  for (const command of [serveCommand(), doctorCommand(), dbCommands(), adminCommands(), versionCommand()]) program.addCommand(command);
  prepare(program, output);
  return program;
}

function clientCommands(): Command[] {
  const ofSubjects = [
    contextCommand(),
    workflowCommand(),
    secretCommand(),
    teamCommand(),
    tryCommand(),
    testCommand(),
    runCommand(),
    actionCommand(),
    auditCommand(),
    taskCommand(),
    scheduleCommand(),
    insightsCommand(),
    tokenCommand(),
    inviteCommand(),
  ];
  return [...signInCommands(), ...applyCommands(), ...ofSubjects, ...resourceCommands(), completionCommand()];
}

/** A command created separately inherits no settings, so they are set here. */
function prepare(command: Command, output: OutputConfiguration): void {
  command
    .exitOverride()
    .helpOption("-h, --help", "Show help for this command")
    .showHelpAfterError(`Run ${pathOf(command)} --help for its usage.`)
    .configureOutput({ ...output, outputError: (text, write) => write(inOurWords(text)) });
  if (command.parent !== null) command.helpCommand(false);
  for (const inner of command.commands) prepare(inner, output);
}

/** Runs the command that the arguments name, and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[], output?: OutputConfiguration): Promise<void> {
  const program = commandLine(output);
  if (args[0] === "__complete") return writeCompletions(program, args.slice(1));
  try {
    await program.parseAsync(args.length === 0 ? ["help"] : inKnownOrder(program, args), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.notUnderstood;
    else if (error instanceof Failure || error instanceof ApiError) {
      process.stderr.write(describeFailure(error));
      process.exitCode = exitCodeOf(error);
    } else {
      debug("%s", error instanceof Error ? error.stack : error);
      process.stderr.write(describeFailure(unexpected(error)));
      process.exitCode = exitCodes.failed;
    }
  }
}

/** E.g. a response that lacks members which the command shows: the command and the service have different versions, or one has a bug. */
function unexpected(error: unknown): Failure {
  const says = error instanceof Error ? error.message : String(error);
  const remedy =
    "Check the address, and compare `millrace version` with the version of the service. NODE_DEBUG=millrace shows where it happened";
  return new Failure(exitCodes.failed, `This did not work as expected: ${says}`, remedy);
}

/** `millrace run list` */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** "error: unknown option '--x'" */
function inOurWords(text: string): string {
  const said = text.replace(/^error: /, "").replace(/\n\(/, " (");
  // The text after an unknown flag may contain a secret, as in `--token=…`.
  return maskTokens(`millrace: ${said.charAt(0).toUpperCase()}${said.slice(1)}`.replace(/('--[\w-]+)=[^']*'/, "$1'"));
}

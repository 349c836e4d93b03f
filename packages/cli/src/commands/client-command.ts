import { Command, InvalidArgumentError } from "commander";

/** A command with examples in its help. */
export function exampleCommand(name: string, description: string, examples: readonly string[]): Command {
  const shown = examples.map((example) => `  $ millrace ${example}\n`).join("");
  return new Command(name).description(description).addHelpText("after", () => `\nExamples:\n${shown.trimEnd()}`);
}

/** The options of all commands that talk to a service. They can be anywhere on the command line. */
export function addConnectionOptions(program: Command): void {
  program
    .option("--url <URL>", "address of the service (MILLRACE_URL)")
    .option("--team <TEAM>", "name of the team (MILLRACE_TEAM)")
    .option("--context <NAME>", "saved service to use (MILLRACE_CONTEXT)");
}

/** For options that can be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Like `collect`, but only for known words. */
export function collectOf(known: readonly string[]) {
  return (value: string, before: readonly string[] = []): string[] => {
    if (!known.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${known.join(", ")}.`);
    return [...before, value];
  };
}

/** @throws {InvalidArgumentError} */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0 || text.trim() === "") throw new InvalidArgumentError("Use a whole number, 0 or more.");
  return count;
}

import type { Argument, Command, Option } from "commander";

/** The possible words at the end of a line: a list, or a kind of name for which the caller looks up the values. */
export type Completion = { words: string[] } | { names: NameKind; of?: string } | undefined;
export type NameKind = "kind" | "context" | "workflow" | "run" | "action" | "thing" | "token" | "schedule" | "bulk" | "view";

const kindOfArgument: Readonly<Record<string, NameKind>> = {
  KIND: "kind",
  RUN: "run",
  ACTION: "action",
  TOKEN: "token",
  SCHEDULE: "schedule",
  WORKFLOW: "workflow",
  BULK: "bulk",
};

/**
 * @param line without `millrace`; its last word is the one being typed
 * @returns undefined: use the shell's own completion, which completes files
 */
export function completeWords(program: Command, line: readonly string[]): Completion {
  const words = line.slice(0, -1);
  const current = line.at(-1) ?? "";
  const { command, given, open } = follow(program, words);
  if (open !== undefined) return completeOption(open);
  if (current.startsWith("-")) return { words: [...optionsOf(command).keys()].filter((flag) => flag.startsWith(current)) };
  if (command.commands.length > 0)
    return { words: command.commands.map((inner) => inner.name()).filter((name) => name.startsWith(current)) };
  const { registeredArguments: all } = command;
  const argument = all[given.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return argument && completeArgument(command, argument, given);
}

/** @returns the command that the words name, its arguments, and the option that still needs its value */
function follow(program: Command, words: readonly string[]): { command: Command; given: string[]; open: Option | undefined } {
  let [command, open] = [program, undefined as Option | undefined];
  const given: string[] = [];
  for (const word of words) {
    const isValue = open !== undefined;
    open = undefined;
    if (isValue) continue;
    if (word.startsWith("-")) open = waits(optionsOf(command).get(word));
    else {
      const inner = command.commands.find((one) => one.name() === word);
      if (inner === undefined) given.push(word);
      else command = inner;
    }
  }
  return { command, given, open };
}

function waits(option: Option | undefined): Option | undefined {
  return option?.required || option?.optional ? option : undefined;
}

/** By their flags, including those of the parent commands. */
function optionsOf(command: Command): Map<string, Option> {
  const inherited = command.parent === null ? [] : [...optionsOf(command.parent)];
  const own = command.options.flatMap((option) => [option.long, option.short].flatMap((flag) => (flag ? [[flag, option] as const] : [])));
  return new Map([...inherited, ...own]);
}

function completeOption(option: Option): Completion {
  if (option.argChoices !== undefined) return { words: option.argChoices };
  if (option.long === "--workflow") return { names: "workflow" };
  if (option.long === "--view") return { names: "view" };
  if (option.long === "--context") return { names: "context" };
  return undefined;
}

function completeArgument(command: Command, argument: Argument, given: readonly string[]): Completion {
  const name = argument.name();
  if (argument.argChoices !== undefined) return { words: argument.argChoices };
  if (command.parent?.name() === "context" || command.name() === "logout") return { names: "context" };
  if (command.name() === "submit") return { names: "workflow" };
  if (name === "NAME" && command.registeredArguments[0]?.name() === "KIND") return { names: "thing", of: given[0] };
  return kindOfArgument[name] && { names: kindOfArgument[name] };
}

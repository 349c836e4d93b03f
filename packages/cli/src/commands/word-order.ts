import type { Command } from "commander";
import { isKind } from "../kinds/all-kinds.ts";

/** Words that other programs use for these commands, and that have a single meaning here. */
const alsoSaid: Readonly<Record<string, readonly string[]>> = {
  "run start": ["workflow", "submit"],
  "run describe": ["run", "get"],
  "describe run": ["run", "get"],
  "run submit": ["workflow", "submit"],
  "workflow run": ["workflow", "submit"],
  "workflow start": ["workflow", "submit"],
};

/**
 * People who use several programs write `workflow list` as well as `list workflows`, and `get run` as well as `run get`. If the first two
 * words are no command but are one in reverse order, they are swapped. Everything after them is unchanged.
 */
export function inKnownOrder(program: Command, args: readonly string[]): readonly string[] {
  const [first = "", second = "", ...others] = args;
  if (first === "--version" || first === "-V") return ["version", ...args.slice(1)];
  const other = alsoSaid[`${first} ${second}`];
  if (other !== undefined) return [...other, ...others];
  if (isKind(first) && hasCommand(program, second) && !hasCommand(program, first, second) && takesKind(program, second))
    return [second, first, ...others];
  const subject = [second, second.replace(/s$/, "")].find((word) => !isKind(word) && hasCommand(program, word, first));
  return subject !== undefined && takesKind(program, first) ? [subject, first, ...others] : args;
}

function hasCommand(program: Command, ...names: readonly string[]): boolean {
  return named(program, names) !== undefined;
}

function takesKind(program: Command, verb: string): boolean {
  return named(program, [verb])?.registeredArguments[0]?.name() === "KIND";
}

function named(program: Command, names: readonly string[]): Command | undefined {
  return names.reduce<Command | undefined>((command, name) => command?.commands.find((inner) => inner.name() === name), program);
}

import { Argument, type Command } from "commander";
import { connect } from "../connection/connect.ts";
import { confirm } from "../connection/read-secret.ts";
import { exitCodes, Failure } from "../failure.ts";
import { allKinds, findKind, kindNames } from "../kinds/all-kinds.ts";
import { describeRow } from "../kinds/describe.ts";
import type { Kind, Scope } from "../kinds/kind.ts";
import { toDocument } from "../kinds/to-document.ts";
import { type Format, outputOption, plainAtTerminal, printList, printOne } from "../output/print.ts";
import { notify, write } from "../output/terminal.ts";
import { collect, exampleCommand, readCount } from "./client-command.ts";

const kindArgument = () => new Argument("<KIND>", `one of ${kindNames.join(", ")}`);
const globalFlag = ["--global", "of the instance instead of a team, for task, parameter and subscription"] as const;

/** `millrace get|list|describe|delete|export KIND`: the same commands for every kind of object. */
export function resourceCommands(): Command[] {
  const list = exampleCommand("list", "List resources of a kind", [
    "list workflows",
    "list tasks --global --search git",
    "list schedules -o json",
  ])
    .addArgument(kindArgument())
    .option("--search <TEXT>", "only names that contain all of these words")
    .option("--label <KEY=VALUE>", "only those with this label; can be repeated", collect)
    .option("--limit <NUMBER>", "most results to show", readCount, 100)
    .option(...globalFlag)
    .addOption(outputOption())
    .action(listKind);
  const get = exampleCommand("get", "Show a resource as a document", ["get workflow nightly", "get task build --global -o json"])
    .addArgument(kindArgument())
    .argument("<NAME>", "name or ID")
    .option(...globalFlag)
    .addOption(outputOption("yaml"))
    .action(getOne);
  const describe = exampleCommand("describe", "Show the details of a resource, and what belongs to it", ["describe workflow nightly"])
    .addArgument(kindArgument())
    .argument("<NAME>", "name or ID")
    .option(...globalFlag)
    .action(describeOne);
  const remove = exampleCommand("delete", "Delete resources", ["delete schedule nightly-report", "delete workflow old older --yes"])
    .addArgument(kindArgument())
    .argument("<NAME...>", "names or IDs")
    .option(...globalFlag)
    .option("--yes", "don't ask for confirmation")
    .action(removeAll);
  const exported = exampleCommand("export", "Write resources as documents for apply", [
    "export > team.yaml",
    "export workflow nightly",
    "export tasks",
  ])
    .argument("[KIND]", "a kind that apply supports; default: all")
    .argument("[NAME...]", "names or IDs; default: all")
    .option(...globalFlag)
    .action(exportAll);
  return [list, get, describe, remove, exported];
}

interface PlaceOptions {
  global?: true;
}

async function scopeOf({ place }: Kind, { global }: PlaceOptions, command: Command): Promise<Scope> {
  const connection = connect(command);
  const team = place === "instance" || (place === "both" && global) ? undefined : await connection.team();
  return { connection, team };
}

interface ListOptions extends PlaceOptions {
  search?: string;
  label?: string[];
  limit: number;
  output: Format;
}

async function listKind(word: string, options: ListOptions, command: Command): Promise<void> {
  const kind = findKind(word);
  const scope = await scopeOf(kind, options, command);
  const { search, label, limit, output } = options;
  const { rows, total } = await readPages(kind, scope, limit, { search, labels: label?.map(encodeURIComponent) });
  await printList(output, rows, kind);
  if (total > rows.length) notify(`${rows.length} of ${total}. --limit ${total} shows all.`);
  else if (total === 0 && output === "table") notify(`There are no ${kind.plural}.`);
}

/** A page has at most 1,000 items. */
async function readPages(kind: Kind, scope: Scope, limit: number, filter: { search?: string; labels?: string[] }) {
  const [rows, size] = [[] as object[], Math.min(limit, 1_000)];
  for (let page = 0; ; page++) {
    const { content, totalElements } = await kind.list(scope, { ...filter, limit: size, page });
    rows.push(...content);
    if (content.length < size || rows.length >= limit) return { rows: rows.slice(0, limit), total: totalElements };
  }
}

async function getOne(word: string, name: string, options: PlaceOptions & { output: Format }, command: Command): Promise<void> {
  const kind = findKind(word);
  await printOne(options.output, await kind.get(await scopeOf(kind, options, command), name), kind);
}

async function describeOne(word: string, name: string, options: PlaceOptions, command: Command): Promise<void> {
  const kind = findKind(word);
  const scope = await scopeOf(kind, options, command);
  write(await describeRow(kind, scope, await kind.get(scope, name)));
}

async function removeAll(word: string, names: string[], options: PlaceOptions & { yes?: true }, command: Command): Promise<void> {
  const kind = findKind(word);
  const { remove } = kind;
  if (remove === undefined) throw new Failure(exitCodes.notUnderstood, `A ${kind.name} can't be deleted`);
  const scope = await scopeOf(kind, options, command);
  await confirm(
    `Delete ${names.length === 1 ? `${kind.name} ${names[0]}` : `${names.length} ${kind.plural} (${names.join(", ")})`}`,
    options.yes === true,
  );
  for (const name of names) {
    await remove(scope, name);
    write(`Deleted ${kind.name} ${name}`);
  }
}

async function exportAll(word: string | undefined, names: string[], options: PlaceOptions, command: Command): Promise<void> {
  const kinds = word === undefined ? allKinds.filter((kind) => kind.documentKind && isOf(kind, options)) : [findKind(word)];
  let separator = "";
  for (const kind of kinds) {
    const scope = await scopeOf(kind, options, command);
    const found = names.length > 0 ? names : (await readPages(kind, scope, Number.POSITIVE_INFINITY, {})).rows.map(kind.nameOf);
    for (const name of found) {
      write(separator + plainAtTerminal(await toDocument(kind, scope, await kind.get(scope, name))));
      separator = "---\n";
    }
  }
}

function isOf({ place }: Kind, { global }: PlaceOptions): boolean {
  return place === "both" || place === (global ? "instance" : "team");
}

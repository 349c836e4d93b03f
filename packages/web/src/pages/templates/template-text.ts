import { isMap, isSeq, parseDocument, stringify } from "yaml";
import { memberChanges } from "../../api/changes.ts";
import type { TaskFault } from "../../api/queries/task/tasks.ts";
import { readYamlValue } from "../../forms/yaml-value.ts";
import { t } from "../../texts/workflow/templates.ts";

/** Members that the service computes, or that only workflows have. */
const notWritten = ["id", "version", "creationDate", "changelog", "upgradesAvailable", "status", "triggers"];

/** A template, or a workflow to be turned into one, as editable text. */
export function templateText(template: object, name?: string): string {
  const { tasks = [], ...rest } = template as { tasks?: object[] };
  const kept = Object.entries(rest).filter(([member, value]) => !notWritten.includes(member) && !isNothing(value));
  const written = tasks.map((task) =>
    Object.fromEntries(Object.entries(task).filter(([member, value]) => member !== "upgradesAvailable" && !isNothing(value))),
  );
  return stringify(
    { ...Object.fromEntries(kept), ...(name !== undefined && { name }), tasks: written },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Parses the template, or returns what is wrong with the text. */
export function readTemplateText(text: string): { template: Record<string, unknown> } | { faults: TaskFault[] } {
  const { value, faults } = readYamlValue(text);
  const [fault] = faults;
  if (fault !== undefined)
    return { faults: [{ path: "", message: fault.message.replace(/ at line \d+, column \d+:$/, ""), ...placeOf(text, fault.from) }] };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { faults: [{ path: "", message: t("templateText.notTemplateHasNo"), line: 1, column: 1 }] };
  return { template: value as Record<string, unknown> };
}

/** The errors that refer to a place in the document, with its line. */
export function placeFaults(text: string, faults: readonly TaskFault[]): TaskFault[] {
  const document = parseDocument(text);
  return faults.map((fault) => {
    const path = fault.path.split("/").slice(1);
    for (let depth = path.length; depth > 0; depth--) {
      const offset = offsetOf(document.contents, path.slice(0, depth));
      if (offset !== undefined) return { ...fault, ...placeOf(text, offset) };
    }
    const offset = offsetOfTask(document.contents, fault.message);
    return offset === undefined ? fault : { ...fault, ...placeOf(text, offset) };
  });
}

/** Some error messages give no place, but begin with the name of the task concerned. */
function offsetOfTask(contents: unknown, message: string): number | undefined {
  const [, name] = /^Task (\S+) /.exec(message) ?? [];
  const tasks = isMap(contents) ? contents.get("tasks") : undefined;
  const index = isSeq(tasks) ? tasks.items.findIndex((task) => isMap(task) && task.get("name") === name) : -1;
  return index < 0 ? undefined : offsetOf(contents, ["tasks", String(index)]);
}

function offsetOf(node: unknown, [member, ...rest]: readonly string[]): number | undefined {
  if (member === undefined) return undefined;
  const pair = isMap(node) ? node.items.find(({ key }) => String(key) === member) : undefined;
  const next = isSeq(node) ? node.items[Number(member)] : pair?.value;
  if (next === undefined || next === null) return undefined;
  if (rest.length > 0) return offsetOf(next, rest);
  const place = (pair?.key ?? next) as { range?: [number, number, number] };
  return place.range?.[0];
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The template to send. Labels and annotations that only the text before had are deleted. @param before empty for a new template */
export function withRemovals(template: Record<string, unknown>, before: string): Record<string, unknown> {
  const read = readTemplateText(before);
  if ("faults" in read) return template;
  const changed = ["labels", "annotations"].flatMap((member) => {
    const changes = memberChanges(mapOf(read.template[member]), mapOf(template[member]));
    return Object.keys(changes).length === 0 ? [] : [[member, changes]];
  });
  return { ...template, ...Object.fromEntries(changed) };
}

/** Anything else than a map is left to the service, which rejects it with its own message. */
function mapOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

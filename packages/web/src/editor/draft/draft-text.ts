import { Document, isMap, parseDocument } from "yaml";
import { readYamlValue, type TextFault } from "../../forms/yaml-value.ts";
import { positionKey } from "../../graph/task-places.ts";
import { t } from "../../texts/workflow/designer.ts";
import { briefDraft, withDefaults } from "./brief-draft.ts";
import { type Draft, placeMissing } from "./draft.ts";

export type CodeFormat = "yaml" | "json";

/** Identifying members come first, and the order is fixed, so that the same draft always has the same text. */
const order = [
  "name",
  "displayName",
  "type",
  "taskRef",
  "taskVersion",
  "executionCondition",
  "decisionCondition",
  "description",
  "value",
  "default",
];

const ranks = new Map(order.map((key, index) => [key, index]));
const rank = (key: string) => ranks.get(key) ?? order.length;
/** Much faster than `localeCompare`, which prepares itself for each pair. */
const { compare } = new Intl.Collator();

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  const sorted = entries.sort(([one], [other]) => rank(one) - rank(other) || compare(one, other));
  return Object.fromEntries(sorted.map(([key, member]) => [key, inOrder(member)]));
}

/** Without the members that have their default. */
export function textOf(draft: Draft, format: CodeFormat): string {
  const { tasks, canvasNotes, ...rest } = briefDraft(draft);
  // The graph is the longest part, so it comes last.
  const written = inOrder({ ...rest }) as object;
  Object.assign(written, canvasNotes !== undefined && { canvasNotes: inOrder(canvasNotes) }, { tasks: inOrder(tasks) });
  return format === "json" ? `${JSON.stringify(written, null, 2)}\n` : writeYaml(written, draft.tasks.length);
}

/** A place on the canvas takes one line. */
function writeYaml(written: object, tasks: number): string {
  const document = new Document(written, { aliasDuplicateObjects: false });
  for (let index = 0; index < tasks; index++) {
    const place = document.getIn(["tasks", index, "annotations", positionKey], true);
    if (isMap(place)) place.flow = true;
  }
  return document.toString({ lineWidth: 0 });
}

/**
 * JSON is parsed as YAML, which contains it. Members that are left out have their default.
 * @param baseline the saved workflow
 * @param shown the draft that the text showed before
 */
export function draftFromText(text: string, baseline: Draft, shown = baseline): { draft?: Draft; faults: TextFault[] } {
  const { name } = baseline;
  const { value, faults } = readYamlValue(text);
  if (faults.length > 0) return { faults };
  const whole = (message: string) => ({ faults: [{ from: 0, to: Math.min(text.length, 80), message }] });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return whole(t("draftText.workflowMustMapMembers"));
  const { tasks, params, ...rest } = value as Record<string, unknown>;
  if (!isListOfNamed(tasks ?? [])) return whole(t("draftText.tasksMustListMaps"));
  if (!isListOfNamed(params ?? [])) return whole(t("draftText.paramsMustListMaps"));
  if (tasks === undefined && rest["name"] !== name) return whole(t("draftText.thereNoTasksHere"));
  if (rest["name"] !== name) return whole(t("draftText.nameStaysWhatStands", { name }));
  const read = { ...rest, name, params: params ?? [], tasks: tasks ?? [] } as Draft;
  return { draft: placeMissing(withDefaults(read, baseline, shown)), faults: [] };
}

function isListOfNamed(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof (each as { name?: unknown } | null)?.name === "string");
}

/** Parses the text once: the positions in it of values at JSON pointers, or of their nearest parents. */
export function placesIn(text: string): (pointer: string) => { from: number; to: number } {
  const document = parseDocument(text);
  return (pointer) => placeOf(document, text, pointer);
}

function placeOf(document: ReturnType<typeof parseDocument>, text: string, pointer: string): { from: number; to: number } {
  const steps = pointer.split("/").filter((step) => step !== "");
  const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return { from: node.range[0], to: Math.min(node.range[1], lineEnd(text, node.range[0])) };
  }
  return { from: 0, to: lineEnd(text, 0) };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

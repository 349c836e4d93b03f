import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Param } from "../parameter-form.tsx";
import {
  addItem,
  annotationPath,
  changeYaml,
  countAt,
  moveItem,
  nodeAt,
  setYaml,
  textAt,
  type YamlDocument,
  type YamlPath,
} from "./yaml-edit.ts";

/**
 * A parameter is stored in two places of the document: name, type, description and default in `spec.params`, the appearance of its field in
 * the annotation `millrace.dev/params`. The form combines both.
 */

const list: YamlPath = ["spec", "params"];
const formTypes: Readonly<Record<string, string>> = { string: "text", array: "multiselect", object: "json" };

/** The kind of value that a field type produces. */
export function kindOf(type: string): "string" | "array" | "object" {
  if (type === "multiselect" || type === "array") return "array";
  return type === "json" || type === "object" ? "object" : "string";
}

type Entry = Record<string, unknown>;

export function readParams(document: YamlDocument): Param[] {
  const entries = new Map(readEntries(document).map((entry) => [String(entry["name"] ?? entry["key"] ?? ""), entry]));
  return Array.from({ length: countAt(document, list) }, (_, index) => readParam(document, [...list, index], entries));
}

function readParam(document: YamlDocument, path: YamlPath, entries: ReadonlyMap<string, Entry>): Param {
  const name = textAt(document, [...path, "name"]);
  const { key: _key, helperText, ...entry } = entries.get(name) ?? {};
  const description = textAt(document, [...path, "description"]);
  const preset = "default" in entry ? entry["default"] : readDefault(document, [...path, "default"]);
  const kind = textAt(document, [...path, "type"]) || (Array.isArray(preset) ? "array" : typeof preset === "object" ? "object" : "string");
  return {
    type: formTypes[kind] ?? "text",
    label: name,
    ...(helperText !== undefined && { helpertext: String(helperText) }),
    ...entry,
    name,
    ...(description && { description }),
    ...(preset !== undefined && { default: preset }),
  };
}

/** The annotation can also be a text that contains the list. */
function readEntries(document: YamlDocument): Entry[] {
  const node = nodeAt(document, annotationPath(document, "params"));
  if (isSeq(node)) return asEntries(node.toJS(document));
  return isScalar(node) && typeof node.value === "string" ? asEntries(parseDocument(node.value).toJS()) : [];
}

function asEntries(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}

function readDefault(document: YamlDocument, path: YamlPath): unknown {
  const node = nodeAt(document, path);
  if (isScalar(node)) return node.value === null ? undefined : textAt(document, path);
  return isSeq(node) || isMap(node) ? node.toJS(document) : undefined;
}

/** Sets a member of a parameter; undefined removes it. */
export function setParam(text: string, index: number, member: string, value: unknown): string {
  const name = nameAt(text, index);
  switch (member) {
    case "name":
      return setYaml(setEntry(text, name, "name", value, false), [...list, index, "name"], value);
    case "description":
      return setYaml(text, [...list, index, member], value);
    case "type":
      return setType(text, index, name, String(value));
    case "default":
      return setDefault(text, index, name, value);
    default:
      return setEntry(text, name, member, value, true);
  }
}

function nameAt(text: string, index: number): string {
  let name = "";
  changeYaml(text, (document) => {
    name = textAt(document, [...list, index, "name"]);
  });
  return name;
}

function setType(text: string, index: number, name: string, type: string): string {
  const before = kindAt(text, index);
  const typed = setYaml(setEntry(text, name, "type", type, true), [...list, index, "type"], kindOf(type));
  return before === kindOf(type) ? typed : setDefault(typed, index, name, undefined);
}

function kindAt(text: string, index: number): string {
  let kind = "";
  changeYaml(text, (document) => {
    kind = textAt(document, [...list, index, "type"]) || "string";
  });
  return kind;
}

/** A text, list or map of texts is stored with the parameter. Values that aren't possible there are stored in the annotation. */
function setDefault(text: string, index: number, name: string, value: unknown): string {
  const path = [...list, index, "default"];
  const isPlain = value === undefined || typeof value === "string" || areTexts(value);
  const cleaned = setEntry(text, name, "default", isPlain ? undefined : value, !isPlain);
  return setYaml(cleaned, path, isPlain ? value : undefined);
}

function areTexts(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "string");
}

/** @param isMade creates the entry if there is none */
function setEntry(text: string, name: string, member: string, value: unknown, isMade: boolean): string {
  const found = findEntry(text, name);
  if (found.index >= 0) return setYaml(found.text, [...found.path, found.index, member], value);
  if (!isMade || value === undefined || value === "") return text;
  return addItem(found.text, found.path, { name, [member]: value });
}

/** Converts a list that was stored as text into a real list. */
function findEntry(text: string, name: string): { text: string; path: YamlPath; index: number } {
  let path: YamlPath = [];
  let entries: Entry[] = [];
  let isText = false;
  const same = changeYaml(text, (document) => {
    path = annotationPath(document, "params");
    entries = readEntries(document);
    isText = isScalar(nodeAt(document, path)) && entries.length > 0;
    if (isText) document.setIn(path, document.createNode(entries));
  });
  return { text: isText ? same : text, path, index: entries.findIndex((entry) => (entry["name"] ?? entry["key"]) === name) };
}

export function addParam(text: string, name: string): string {
  return addItem(text, list, { name, type: "string" });
}

/** Removes it from both places. */
export function removeParam(text: string, index: number): string {
  const { path, index: entry, text: found } = findEntry(text, nameAt(text, index));
  return changeYaml(found, (document) => {
    document.deleteIn([...list, index]);
    if (countAt(document, list) === 0) document.deleteIn(list);
    if (entry < 0) return;
    document.deleteIn([...path, entry]);
    if (countAt(document, path) === 0) document.deleteIn(path);
  });
}

export function moveParam(text: string, from: number, to: number): string {
  return moveItem(text, list, from, to);
}

interface Option {
  key: string;
  value?: string | undefined;
}

/** One per line: `key`, or `key: what people see`. */
export function textOfOptions(options: readonly Option[]): string {
  return options.map(({ key, value }) => (value && value !== key ? `${key}: ${value}` : key)).join("\n");
}

export function optionsOf(text: string): Required<Option>[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [key = "", ...label] = line.split(": ");
    return { key: key.trim(), value: label.join(": ").trim() || key.trim() };
  });
}

import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { namedSchemas } from "@millrace/contract/schema.ts";
import { isAlias, isMap, isSeq, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { shorten } from "../../base/text/shorten.ts";
import { textProblem } from "./json-guard.ts";
import { isNullText, type PlainValue, plainValue } from "./yaml-scalar.ts";
import { type YamlDocument, YamlError, type YamlNode, type YamlProblem, yamlLimits } from "./yaml-tree.ts";

/**
 * Converts a YAML document to the value that a schema describes. Where the schema says string, a plain scalar is taken literally: `default:
 * 1.0` is "1.0" and `value: on` is "on", even though they look like a number or a boolean. Elsewhere it has the meaning it has in
 * Kubernetes (yaml-scalar.ts). A member without a value is left out where the schema expects one, as in Kubernetes. Aliases and merge keys
 * (`<<`) are resolved, within limits; a duplicate key is an error.
 *
 * An escape in double quotes can produce characters that the text itself can't contain: NUL and lone surrogates. They are refused as in
 * JSON: two texts with different lone surrogates become the same name in a file system, so rules about names would not hold for them.
 */
export interface YamlValue {
  value: unknown;
  /** Line and column of the value at this JSON pointer, or of the nearest value that contains it. */
  placeOf(pointer: string): { line: number; column: number };
  /** The same for the name of the member at the end of the pointer, if there is one. */
  placeOfName(pointer: string): { line: number; column: number };
}

const maxDepth = 64;
const maxValues = 50_000;
/** UTF-16 units of all texts and names. Only aliases can produce more than the text itself has. */
const maxCharacters = 2 * yamlLimits.characters;

interface Reading {
  document: YamlDocument;
  anchors: Map<string, YamlNode>;
  problems: YamlProblem[];
  isJson: boolean;
  values: number;
  characters: number;
}

/** The place of a value. Stored as a tree, since pointers as texts would repeat a long name for each value below it. */
interface Place {
  offset?: number;
  /** Offset of the name, if it is a member. */
  nameOffset?: number;
  members?: Map<string, Place>;
}

/**
 * @param isJson the document is used like JSON: scalars that readers interpret differently are refused where the schema does not settle the
 * type
 */
export function readYamlValue(document: YamlDocument, schema: unknown, isJson = false): YamlValue {
  const reading: Reading = { document, anchors: new Map(), problems: [], isJson, values: 0, characters: 0 };
  const root: Place = {};
  const value = readNode(reading, document.root, schema as SchemaLike, root, 0);
  if (reading.problems.length > 0) throw new YamlError(reading.problems.slice(0, yamlLimits.problems));
  return {
    value,
    placeOf: (pointer) => document.place(findPlace(root, pointer).offset),
    placeOfName: (pointer) => {
      const { offset, nameOffset } = findPlace(root, pointer);
      return document.place(nameOffset ?? offset);
    },
  };
}

/** `nameOffset` is set only if exactly this member exists. */
function findPlace(root: Place, pointer: string): { offset: number; nameOffset: number | undefined } {
  let at: Place | undefined = root;
  let offset = root.offset ?? 0;
  for (const name of pointer.split("/").slice(1)) {
    at = at?.members?.get(name);
    offset = at?.offset ?? offset;
  }
  return { offset, nameOffset: at?.nameOffset };
}

/** @param name escaped as in a pointer */
function memberPlace(place: Place, name: string): Place {
  place.members ??= new Map();
  const known = place.members.get(name) ?? {};
  place.members.set(name, known);
  return known;
}

function countCharacters(reading: Reading, node: YamlNode, text: string): void {
  reading.characters += text.length;
  if (reading.characters > maxCharacters)
    stop(reading, node, `the document contains more than ${maxCharacters} characters, including aliases`);
}

/** The parts of JSON Schema that our schemas use to say where texts are. */
interface SchemaLike {
  $ref?: string;
  type?: string | string[];
  anyOf?: SchemaLike[];
  enum?: unknown[];
  properties?: Record<string, SchemaLike>;
  patternProperties?: Record<string, SchemaLike>;
  additionalProperties?: SchemaLike | boolean;
  items?: SchemaLike;
}

function readNode(reading: Reading, node: YamlNode | null, schema: SchemaLike | undefined, place: Place, depth: number): unknown {
  if (node === null) return null;
  if (!isAlias(node)) noteAnchor(reading, node);
  place.offset = node.range?.[0] ?? 0;
  if (++reading.values > maxValues) return stop(reading, node, `the document contains more than ${maxValues} values, including aliases`);
  if (depth > maxDepth) return stop(reading, node, `the document is nested deeper than ${maxDepth} levels`);
  if (isAlias(node)) return readAlias(reading, node.source, node, schema, place, depth);
  if (isMap(node)) return readMap(reading, node, alternative(schema, "object"), place, depth);
  if (isSeq(node)) return readList(reading, node, alternative(schema, "array"), place, depth);
  return readScalar(reading, node as Scalar, alternative(schema, "string"));
}

function noteAnchor(reading: Reading, node: YamlNode): void {
  const anchor = (node as Scalar).anchor;
  if (anchor !== undefined) reading.anchors.set(anchor, node);
}

function readAlias(reading: Reading, name: string, node: YamlNode, schema: SchemaLike | undefined, place: Place, depth: number): unknown {
  const target = reading.anchors.get(name);
  if (target === undefined) return fault(reading, node, `there is no anchor &${shown(name)} before the alias *${shown(name)}`);
  const value = readNode(reading, target, schema, place, depth + 1);
  place.offset = node.range?.[0] ?? 0;
  return value;
}

function readList(reading: Reading, node: YAMLSeq, schema: SchemaLike | undefined, place: Place, depth: number): unknown[] {
  checkTag(reading, node, "tag:yaml.org,2002:seq");
  return node.items.map((item, index) =>
    readNode(reading, item as YamlNode | null, schema?.items, memberPlace(place, String(index)), depth + 1),
  );
}

function readMap(reading: Reading, node: YAMLMap, schema: SchemaLike | undefined, place: Place, depth: number): Record<string, unknown> {
  checkTag(reading, node, "tag:yaml.org,2002:map");
  const own = new Map<string, unknown>();
  const merged = new Map<string, unknown>();
  for (const pair of node.items as Pair<Scalar, YamlNode | null>[]) {
    const key = pair.key;
    const name = String(key.source ?? key.value ?? "");
    countCharacters(reading, key, name);
    if (key.type === "PLAIN" && name === "<<") {
      for (const source of mergeSources(reading, pair.value, schema, memberPlace(place, "<<"), depth))
        for (const [k, v] of source) if (!merged.has(k)) merged.set(k, v);
      continue;
    }
    if (own.has(name)) fault(reading, key, `the key ${shown(name)} appears twice in one map`);
    checkKey(reading, key, name);
    const memberSchema = memberOf(schema, name);
    const member = memberPlace(place, escapePointer(name));
    member.nameOffset = key.range?.[0] ?? 0;
    const value = readNode(reading, pair.value, memberSchema, member, depth + 1);
    own.set(name, value === null && wantsType(memberSchema) && !takesNull(memberSchema) ? undefined : value);
  }
  for (const [name, value] of merged) if (!own.has(name)) own.set(name, value);
  return Object.fromEntries([...own].filter(([, value]) => value !== undefined));
}

/** The contents of `<<`: a map, or a list of maps of which earlier ones have precedence. */
function mergeSources(reading: Reading, node: YamlNode | null, schema: SchemaLike | undefined, place: Place, depth: number) {
  const value = readNode(reading, node, { items: schema, ...schema }, place, depth + 1);
  const maps = Array.isArray(value) ? value : [value];
  if (maps.every((map) => typeof map === "object" && map !== null && !Array.isArray(map)))
    return maps.map((map) => Object.entries(map as object));
  if (node !== null) fault(reading, node, "the merge key << takes a map or a list of maps");
  return [];
}

const plainTags = new Map([
  ["tag:yaml.org,2002:str", "string"],
  ["tag:yaml.org,2002:null", "null"],
  ["tag:yaml.org,2002:bool", "boolean"],
  ["tag:yaml.org,2002:int", "number"],
  ["tag:yaml.org,2002:float", "number"],
]);

function checkKey(reading: Reading, key: Scalar, name: string): void {
  const problem = textProblem(name);
  if (problem !== undefined) fault(reading, key, `a key ${problem}`);
}

function readScalar(reading: Reading, node: Scalar, schema: SchemaLike | undefined): unknown {
  const value = scalarValue(reading, node, schema);
  const problem = typeof value === "string" ? textProblem(value) : undefined;
  return problem === undefined ? value : fault(reading, node, `the text ${problem}`);
}

function scalarValue(reading: Reading, node: Scalar, schema: SchemaLike | undefined): unknown {
  if (node.tag !== undefined && !plainTags.has(node.tag)) return fault(reading, node, `the tag ${shown(node.tag)} is not supported`);
  const text = node.source ?? String(node.value ?? "");
  countCharacters(reading, node, text);
  const kind = plainTags.get(node.tag ?? "");
  if (kind === "string" || (node.type !== "PLAIN" && (kind === undefined || isText(schema)))) return text;
  if (isText(schema)) return isNullText(text) ? null : text;
  const value = plainValue(text);
  if (value === undefined) return fault(reading, node, `the number ${shown(text)} can't be stored exactly; put it in quotes`);
  if (reading.isJson && kind === undefined && !wantsType(schema) && isAmbiguous(text, value)) {
    return fault(reading, node, `${shown(text)} would become ${value}; write ${value}, or put it in quotes to keep the text`);
  }
  // A tag does not extend what a text can mean: `!!float .inf` is not a number in JSON, and `!!int 0755` is 493.
  if (kind === undefined || isOfKind(value, kind)) return value;
  return fault(reading, node, `the tag ${node.tag} doesn't fit ${shown(text)}`);
}

/** `01234`, `1.10`, `1_000`, `yes`: probably meant as text. */
function isAmbiguous(text: string, value: PlainValue): boolean {
  if (typeof value === "boolean") return !/^(?:true|false)$/i.test(text);
  return typeof value === "number" && String(value) !== text;
}

function isOfKind(value: PlainValue, kind: string): boolean {
  return (value === null ? "null" : typeof value) === kind;
}

/** Shortened, since a document can be one word of 1 MiB. */
function shown(text: string): string {
  return shorten(text, 80);
}

function checkTag(reading: Reading, node: YamlNode, expected: string): void {
  if (node.tag !== undefined && node.tag !== expected) fault(reading, node, `the tag ${shown(node.tag)} is not supported`);
}

function fault(reading: Reading, node: YamlNode, message: string): undefined {
  reading.problems.push({ ...reading.document.place(node.range?.[0] ?? 0), message });
  return undefined;
}

function stop(reading: Reading, node: YamlNode, message: string): never {
  throw new YamlError([{ ...reading.document.place(node.range?.[0] ?? 0), message }]);
}

/** The schema for a node of that kind: if there are several alternatives, the one for its kind. */
function alternative(schema: SchemaLike | undefined, kind: "string" | "array" | "object"): SchemaLike | undefined {
  if (schema === undefined) return undefined;
  if (schema.$ref !== undefined) return alternative(namedSchemas().get(schema.$ref) as SchemaLike | undefined, kind);
  if (schema.anyOf === undefined) return schema;
  const fits = schema.anyOf.map((one) => alternative(one, kind)).find((one) => one?.type === kind);
  return fits ?? schema;
}

function memberOf(schema: SchemaLike | undefined, name: string): SchemaLike | undefined {
  if (schema === undefined) return undefined;
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) if (new RegExp(pattern).test(name)) return member;
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function isText(schema: SchemaLike | undefined): boolean {
  return typesOf(schema).includes("string") || (schema?.enum ?? []).some((value) => typeof value === "string");
}

/** Whether null has a meaning at this place: it removes the existing value. */
function takesNull(schema: SchemaLike | undefined): boolean {
  return typesOf(schema).includes("null") || (schema?.anyOf ?? []).some(takesNull);
}

function typesOf(schema: SchemaLike | undefined): readonly string[] {
  return [schema?.type ?? []].flat();
}

/** Whether the schema says which type this place has; then a member without a value is left out. */
function wantsType(schema: SchemaLike | undefined): boolean {
  return schema !== undefined && Object.keys(schema).some((word) => ["$ref", "type", "anyOf", "enum"].includes(word));
}

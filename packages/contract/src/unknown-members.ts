import type { TSchema } from "typebox";
import { escapePointer } from "./json-pointer.ts";
import { namedSchemas } from "./schema.ts";

/**
 * Finds the members of a body that are not in its schema. An object schema with `additionalProperties: true` stores and returns them; one
 * with a schema for additional members has no unknown ones; all others ignore them. With `Prefer: handling=strict` both kinds of unknown
 * members are refused.
 */
export interface UnknownMember {
  /** JSON pointer. */
  path: string;
  name: string;
  /** It is stored and returned; otherwise it is ignored. */
  isKept: boolean;
  /** The known names at this place. */
  known: readonly string[];
}

export type FindUnknown = (value: unknown) => UnknownMember[];

/** For one body: comparing a thousand names with the known ones takes milliseconds, and no one fixes more at once. */
const mostFound = 2_000;

export function createUnknownFinder(schema: TSchema): FindUnknown {
  let walk: Walk | undefined;
  return (value) => {
    walk ??= compile(schema as ObjectSchema, new Map());
    const found: UnknownMember[] = [];
    walk(value, "", found);
    return found;
  };
}

type Walk = (value: unknown, path: string, found: UnknownMember[]) => void;

interface ObjectSchema {
  type?: string | string[];
  $ref?: string;
  properties?: Record<string, ObjectSchema>;
  patternProperties?: Record<string, ObjectSchema>;
  additionalProperties?: unknown;
  items?: ObjectSchema;
  anyOf?: ObjectSchema[];
  oneOf?: ObjectSchema[];
  allOf?: ObjectSchema[];
}

function compile(schema: ObjectSchema, seen: Map<string, { walk: Walk }>): Walk {
  if (schema.$ref !== undefined) return compileReference(schema.$ref, seen);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives !== undefined) return compileAlternatives(alternatives, seen);
  if (schema.items !== undefined) return walkItems(compile(schema.items, seen));
  return schema.properties === undefined ? () => {} : walkObject(schema, seen);
}

/** A schema may refer to itself, so its entry is created before its walk is compiled. */
function compileReference(id: string, seen: Map<string, { walk: Walk }>): Walk {
  const known = seen.get(id);
  if (known !== undefined) return (value, path, found) => known.walk(value, path, found);
  const target = namedSchemas().get(id);
  if (target === undefined) throw new Error(`there is no schema named ${id}`);
  const slot: { walk: Walk } = { walk: () => {} };
  seen.set(id, slot);
  slot.walk = compile(target as ObjectSchema, seen);
  return slot.walk;
}

/** A member is unknown if none of the alternatives knows it; alternatives without members (null, text …) are ignored. */
function compileAlternatives(alternatives: ObjectSchema[], seen: Map<string, { walk: Walk }>): Walk {
  const isScalar = ({ type }: ObjectSchema) => typeof type === "string" && type !== "object" && type !== "array";
  const walks = alternatives.filter((alternative) => !isScalar(alternative)).map((alternative) => compile(alternative, seen));
  if (walks.length === 1) return walks[0]!;
  return (value, path, found) => {
    const lists = walks.map((walk) => {
      const list: UnknownMember[] = [];
      walk(value, path, list);
      return list;
    });
    found.push(...(lists[0] ?? []).filter(({ path: at }) => lists.every((list) => list.some((other) => other.path === at))));
  };
}

function walkItems(walkItem: Walk): Walk {
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < mostFound; index++) walkItem(value[index], `${path}/${index}`, found);
  };
}

function walkObject(schema: ObjectSchema, seen: Map<string, { walk: Walk }>): Walk {
  const members = new Map(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, compile(member, seen)]));
  const { additionalProperties: more } = schema;
  const isKept = more === true && members.size > 0;
  const isFree = (more !== undefined && more !== false && !isKept) || schema.patternProperties !== undefined;
  const known = [...members.keys()];
  return (value, path, found) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const walk = members.get(name);
      if (walk !== undefined) walk(member, `${path}/${name}`, found);
      else if (!isFree && found.length < mostFound) found.push({ path: `${path}/${escapePointer(name)}`, name, isKept, known });
    }
  };
}

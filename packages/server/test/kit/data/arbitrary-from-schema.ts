import { namedSchemas } from "@millrace/contract/schema.ts";
import fc, { type Arbitrary } from "fast-check";

/** Values that fit a schema. With `isHostile` only most of them do: occasionally one place contains something else altogether. */
export function fromSchema(schema: unknown, isHostile: boolean, depth = 0): Arbitrary<unknown> {
  const next: Next = (inner, innerDepth) => fromSchema(inner, isHostile, innerDepth);
  const fitting = fitSchema(schema as Schema, depth, next);
  return isHostile ? fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: hostile }) : fitting;
}

type Next = (schema: unknown, depth: number) => Arbitrary<unknown>;

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  format?: string;
}

const maxDepth = 6;

function fitSchema(schema: Schema, depth: number, next: Next): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return depth > maxDepth ? fc.constant(null) : next(namedSchemas().get(schema.$ref), depth + 1);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((alternative) => next(alternative, depth + 1)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return depth > maxDepth ? fc.constant(1) : fc.oneof(fc.jsonValue({ maxDepth: 2 }), text);
  return fc.oneof(...types.map((type) => ofType(type, schema, depth, next)));
}

function ofType(type: string, schema: Schema, depth: number, next: Next): Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1000, 2 ** 31) });
    case "number":
      return fc.double({ noNaN: true });
    case "array":
      return depth > maxDepth ? fc.constant([]) : fc.array(next(schema.items ?? {}, depth + 1), { maxLength: 4 });
    case "object":
      return depth > maxDepth ? fc.constant({}) : withExamples(schema, objectOf(schema, depth, next));
    default:
      return schema.examples !== undefined
        ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...schema.examples) }, { weight: 1, arbitrary: text })
        : text;
  }
}

function withExamples({ examples }: Schema, made: Arbitrary<unknown>): Arbitrary<unknown> {
  return examples === undefined ? made : fc.oneof({ weight: 3, arbitrary: made }, { weight: 1, arbitrary: fc.constantFrom(...examples) });
}

function objectOf(schema: Schema, depth: number, next: Next): Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, next(member, depth + 1)] as const);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] });
  const rest = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
  if (rest === undefined || rest === false)
    return fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: withMore(known, hostile) });
  return withMore(known, rest === true ? fc.jsonValue({ maxDepth: 2 }) : next(rest, depth + 1));
}

function withMore(known: Arbitrary<object>, value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.tuple(known, fc.dictionary(text, value, { maxKeys: 3 })).map(([members, more]) => ({ ...more, ...members }));
}

export const hostileTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e",
  "x".repeat(5000),
  "日本語",
  "'; drop table team; --",
  "../../etc/passwd",
  "%00",
  "%",
  "$(params.x)",
  "${7*7}",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "1e999",
  "-1",
  "9223372036854775808",
  "00000000-0000-0000-0000-000000000000",
  "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  "(a+)+$",
  "* * * * *",
  "2026-13-45T99:99:99Z",
  "query",
  "a,b=c;d&e",
  "\r\nx-injected: 1",
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
);

const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;

const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    [null],
    nested(30),
    nested(64),
    nested(200),
    Array(2000).fill("x"),
  ),
  fc.constantFrom(...hostileTexts),
  fc.jsonValue({ maxDepth: 4 }),
);

import { escapePointer, unescapePointer } from "@millrace/contract/json-pointer.ts";
import { shorten } from "../../base/text/shorten.ts";
import "@millrace/contract/error-body.ts";
import "@millrace/contract/page.ts";
import { namedSchemas } from "@millrace/contract/schema.ts";
import type { TSchema } from "typebox";
import Schema from "typebox/schema";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { findMisleading } from "../../base/text/clean-name.ts";
import { shortenValue } from "./shorten-value.ts";

/**
 * Checks a value against a schema; references are to the named schemas of the contract. Values are never converted, removed or filled in.
 */
export interface Validator {
  /** Empty if the value is valid. Each message says what is wrong, with which value, and what is allowed. */
  faults(value: unknown): ErrorDetail[];
}

/** The schema is compiled at its first use, so that the start of an instance does not wait for a hundred of them. */
export function createValidator(schema: TSchema): Validator {
  let compiled: ReturnType<typeof compile> | undefined;
  return {
    faults(value) {
      compiled ??= compile(schema);
      if (compiled.Check(value)) return [];
      const short = shortenValue(schema, value, fitsSchema);
      const [, errors] = compiled.Errors(short.value);
      const found = (errors as SchemaError[]).map((error) => ({ ...error, instancePath: short.placeOf(error.instancePath) }));
      const details = [...found, ...short.faults].flatMap((error) => sentences(error, value));
      return details.length > 0 ? dropVague(details) : [{ path: "", message: "does not match the schema" }];
    },
  };
}

const checks = new WeakMap<TSchema, ReturnType<typeof compile>>();

/** Whether it has no faults, in a twentieth of the time that it takes to list them. The schema is compiled once. */
export function fitsSchema(schema: TSchema, value: unknown): boolean {
  const check = checks.get(schema) ?? compile(schema);
  checks.set(schema, check);
  return check.Check(value);
}

/** With the named schemas that it refers to, and no others: the compiler walks through all that it is given, at each schema. */
function compile(schema: TSchema) {
  const named: Record<string, TSchema> = {};
  addReferred(schema, named);
  return Schema.Compile(named, schema);
}

function addReferred(part: unknown, named: Record<string, TSchema>): void {
  if (typeof part !== "object" || part === null) return;
  const id = (part as { $ref?: unknown }).$ref;
  const referred = typeof id === "string" && !Object.hasOwn(named, id) ? namedSchemas().get(id) : undefined;
  if (referred !== undefined) {
    named[id as string] = referred;
    addReferred(referred, named);
  }
  for (const inner of Object.values(part)) addReferred(inner, named);
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
}

/** "an integer", "a string"; null has no article. */
function withArticle(type: unknown): string {
  if (type === "null") return type;
  return `${/^[aeiou]/.test(String(type)) ? "an" : "a"} ${type}`;
}

const comparisons: Readonly<Record<string, string>> = { "<=": "at most", ">=": "at least", "<": "less than", ">": "more than" };

/** Null is allowed wherever a member may be left out, and no word. */
function nameWords(values: readonly unknown[]): string {
  return values.filter((value) => value !== null).join(", ");
}

function sentences(error: SchemaError, root: unknown): ErrorDetail[] {
  const path = error.instancePath;
  const shown = show(path, valueAt(root, path));
  const { params } = error;
  switch (error.keyword) {
    case "required":
      return (params["requiredProperties"] as string[]).map((name) => ({ path: `${path}/${name}`, message: "is missing" }));
    case "type":
      return [{ path, message: `is ${shown}; it must be ${[params["type"]].flat().map(withArticle).join(" or ")}` }];
    case "enum":
      return [{ path, message: `is ${shown}; it must be one of ${nameWords(params["allowedValues"] as unknown[])}` }];
    case "const":
      return [{ path, message: `is ${shown}; it must be ${JSON.stringify(params["allowedValue"])}` }];
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return [{ path, message: `is ${shown}; it must be ${comparisons[String(params["comparison"])]} ${params["limit"]}` }];
    case "minLength":
      return [{ path, message: `is too short; it must have at least ${params["limit"]} characters` }];
    case "maxLength":
      return [{ path, message: `is too long; it may have at most ${params["limit"]} characters` }];
    case "pattern":
      return [
        { path, message: params["pattern"] === "\\S" ? "is blank; it must not be" : `is ${shown}; it must match ${params["pattern"]}` },
      ];
    case "format":
      return [{ path, message: `is ${shown}; it must be a ${params["format"]}` }];
    default:
      return [{ path, message: `is ${shown}; it ${error.message}` }];
  }
}

/** If the parts of a failed union have reported details, the message of the union itself is dropped, since it adds little. */
function dropVague(details: ErrorDetail[]): ErrorDetail[] {
  const precise = details.filter(({ message }) => !/; it must (?:match a schema in|match exactly one schema in|be valid)/.test(message));
  return precise.length > 0 ? precise : details;
}

const secretNames = /(?:password|secret|token|otc|value|default)$/i;

/** Messages quote values, but shortened, and never where a secret may be. */
function show(path: string, value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string" && secretNames.test(path)) return "a text";
  if (typeof value === "number" && secretNames.test(path)) return "a number";
  const text = JSON.stringify(value) ?? "missing";
  return shorten(text, 80);
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[unescapePointer(part)];
  }
  return value;
}

const shownNames = ["name", "displayName"] as const;

/** Names of people, teams, workflows … are shown beside other text; a direction mark in a name could reverse that text. */
export function misleadingNames(body: unknown): ErrorDetail[] {
  if (typeof body !== "object" || body === null) return [];
  return shownNames.flatMap((name) => {
    const value = (body as Record<string, unknown>)[name];
    const mark = typeof value === "string" ? findMisleading(value) : undefined;
    return mark === undefined ? [] : [{ path: `/${name}`, message: `contains the invisible character ${mark}; leave it out` }];
  });
}

/**
 * Documents keep members that we don't know, and saving one copies its objects a dozen times. A copy of an object with more than a thousand
 * members takes ten times as long for each of them as one of a small object: a document of 8 MiB of short members would hold up all other
 * requests for ten seconds. Nobody writes so many, so they are refused before the first copy.
 */
const mostMembers = 10_000;

/** @throws VALIDATION_FAILED if an object of the document has too many members */
export function refuseLargeObjects(document: unknown): void {
  const path = findLargeObject(document);
  if (path === undefined) return;
  const message = `has more than ${mostMembers} members; at most ${mostMembers} are allowed in one object of a document`;
  throw new AppError("VALIDATION_FAILED", [`${path || "the document"} ${message}`], { details: [{ path, message }] });
}

/** The path is built on the way back. The nesting is limited already. */
function findLargeObject(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  if (!Array.isArray(value) && entries.length > mostMembers) return "";
  for (const [name, inner] of entries) {
    const found = findLargeObject(inner);
    if (found !== undefined) return `/${escapePointer(name.slice(0, 50))}${found}`;
  }
  return undefined;
}

import type { TSchema } from "typebox";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";

/**
 * Turns the raw query string into the values that the schema describes. Only here, and only for query parameters, text becomes numbers and
 * booleans. Lists are split at literal commas *before* decoding, so that an item may contain an encoded comma; a parameter may also be
 * repeated. Values of an enum match regardless of case. Text that fits no type stays text, and the validator reports it.
 */
export interface QueryReader {
  read(raw: string): ReadQuery;
}

export interface ReadQuery {
  values: Record<string, unknown>;
  /** Names of parameters that the endpoint does not have. */
  unknown: string[];
}

type Convert = (raw: string) => unknown;

interface Parameter {
  isList: boolean;
  isLabels: boolean;
  convert: Convert;
  fallback: unknown;
}

export function createQueryReader(schema: TSchema | undefined): QueryReader {
  const { properties = {}, additionalProperties } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    additionalProperties?: unknown;
  };
  const parameters = new Map(Object.entries(properties).map(([name, property]) => [name, toParameter(property)]));
  const defaults = [...parameters].filter(([, parameter]) => parameter.fallback !== undefined);
  return {
    read(raw) {
      const result: ReadQuery = { values: {}, unknown: [] };
      const others = new Map<string, string | string[]>();
      for (const [name, value] of rawPairs(raw)) {
        const parameter = parameters.get(name);
        if (parameter === undefined && additionalProperties === true) keepText(others, name, decode(name, value));
        else if (parameter === undefined) result.unknown.push(name);
        else take(result.values, name, value, parameter);
      }
      for (const [name, parameter] of defaults) result.values[name] ??= parameter.fallback;
      if (others.size > 0) result.values = { ...Object.fromEntries(others), ...result.values };
      return result;
    },
  };
}

/** The value of one parameter, needed before the request is matched to its endpoint (`access_token`). */
export function rawParameter(raw: string, wanted: string): string | undefined {
  for (const [name, value] of rawPairs(raw)) if (name === wanted) return decode(name, value);
  return undefined;
}

function* rawPairs(raw: string): Generator<[string, string]> {
  if (raw === "") return;
  for (const pair of raw.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    yield [decode("a parameter's name", name), equals < 0 ? "" : pair.slice(equals + 1)];
  }
}

function take(values: Record<string, unknown>, name: string, raw: string, parameter: Parameter): void {
  if (parameter.isList) {
    const list = (values[name] as unknown[] | undefined) ?? [];
    values[name] = list;
    const parts = parameter.isLabels ? labelParts(name, raw) : plainParts(name, raw);
    for (const part of parts) list.push(parameter.convert(part));
    return;
  }
  if (name in values) throw invalid(name, "appears twice; give it once");
  const text = decode(name, raw);
  const value = parameter.convert(text);
  if (value !== undefined) values[name] = value;
}

/** Where any parameter is allowed, its value is text, or a list if it is repeated. */
function keepText(others: Map<string, string | string[]>, name: string, text: string): void {
  if (name === "access_token" || name === "__proto__") return;
  const known = others.get(name);
  others.set(name, known === undefined ? text : [known, text].flat());
}

/** Keywords, names and ids contain no comma, so an encoded comma separates them as well. */
function plainParts(name: string, raw: string): string[] {
  return raw
    .split(",")
    .flatMap((part) => decode(name, part).split(","))
    .filter((part) => part !== "");
}

/** Pairs are encoded one by one. Clients that encode the whole parameter once more are understood, too. */
function labelParts(name: string, raw: string): string[] {
  const parts = raw.split(",").map((part) => decode(name, part));
  return parts
    .flatMap((part) => (part.includes("=") ? [part] : part.split(",").map((inner) => decode(name, inner))))
    .filter((part) => part !== "");
}

function decode(name: string, raw: string): string {
  let text: string;
  try {
    text = decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    throw invalid(name, "is not valid percent-encoded UTF-8");
  }
  if (text.includes("\0")) throw invalid(name, "contains a NUL character");
  return text;
}

function invalid(name: string, message: string): AppError {
  return new AppError("BAD_REQUEST", [`parameter ${name} ${message}`], { details: [{ path: name, message }] });
}

interface PropertySchema {
  type?: string;
  enum?: unknown[];
  items?: PropertySchema;
  default?: unknown;
  "x-labels"?: boolean;
}

function toParameter(property: TSchema): Parameter {
  const schema = property as PropertySchema;
  const isList = schema.type === "array";
  return {
    isList,
    isLabels: schema["x-labels"] === true,
    convert: converter(isList ? (schema.items ?? {}) : schema),
    fallback: schema.default,
  };
}

function converter(schema: PropertySchema): Convert {
  if (schema.type === "integer" || schema.type === "number") return (text) => toNumber(text);
  if (schema.type === "boolean") return (text) => toBoolean(text);
  const words = schema.enum;
  if (words === undefined) return (text) => text;
  return (text) => (text === "" ? undefined : (words.find((word) => String(word).toLowerCase() === text.toLowerCase()) ?? text));
}

function toNumber(text: string): unknown {
  if (text === "") return undefined;
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function toBoolean(text: string): unknown {
  if (text === "") return undefined;
  if (/^true$/i.test(text)) return true;
  return /^false$/i.test(text) ? false : text;
}

/** Faults of a query, with the name of the parameter as path instead of a JSON pointer. */
export function toParameterFaults(faults: ErrorDetail[]): ErrorDetail[] {
  return faults.map(({ path, message }) => ({ path: path.split("/")[1] ?? path, message }));
}

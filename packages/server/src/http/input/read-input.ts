import { createUnknownFinder, type UnknownMember } from "@millrace/contract/unknown-members.ts";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import type { Steps } from "../../base/process/slices.ts";
import { isStrict, strictFault } from "../../base/text/nearest-name.ts";
import { createValidator } from "../../core/document/validator.ts";
import { validationError } from "../answer/error-response.ts";
import { type Body, createBodyReader, type Placed } from "./read-body.ts";

/** The content of a request, read and validated. */
export interface Input extends Body {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Headers of the response about how the request was read. */
  replyHeaders: Record<string, string>;
}

/** In steps, since a body may have megabytes. */
export function createInputReader(endpoint: Endpoint): (request: FastifyRequest) => Steps<Input> {
  const readParams = createParamsReader(endpoint.params as TSchema | undefined);
  const queryReader = createQueryReader(endpoint.query as TSchema | undefined);
  const checkQuery = createQueryCheck(endpoint.query as TSchema | undefined);
  const readBody = createBodyReader(endpoint);
  const findUnknown = endpoint.body === undefined ? undefined : createUnknownFinder(endpoint.body as TSchema);
  return function* (request) {
    const params = readParams(request);
    const query = queryReader.read((request.query as { raw: string }).raw);
    checkQuery(query.values);
    const body = yield* readBody(request);
    const names = query.unknown.filter((name) => name !== "access_token").map((name) => `?${name}`);
    if (findUnknown === undefined) names.push(...membersOfUnwanted(request));
    const members = findUnknown !== undefined && typeof body.body === "object" ? findUnknown(body.body) : [];
    return { params, query: query.values, ...body, replyHeaders: reportUnknown(request, names, members, body.placed) };
  };
}

/**
 * Called before anything is looked up by a name in the path; the team comes first.
 * @throws VALIDATION_FAILED if a name in the path has characters that no stored text can have
 */
export function checkPathText(request: FastifyRequest): void {
  for (const [path, value] of Object.entries(request.params as Record<string, string>)) {
    const message = value.includes("\0")
      ? "contains a NUL character"
      : /\p{Cs}/u.test(value)
        ? "contains half a character (a lone surrogate)"
        : undefined;
    if (message !== undefined) throw validationError([{ path, message }], "path parameter");
  }
}

function createParamsReader(schema: TSchema | undefined): (request: FastifyRequest) => Record<string, string> {
  const validator = schema === undefined ? undefined : createValidator(schema);
  return (request) => {
    const params = request.params as Record<string, string>;
    const faults = validator?.faults(params) ?? [];
    if (faults.length > 0) throw validationError(toParameterFaults(faults), "path parameter");
    return params;
  };
}

/** In the published interface, a filter that isn't a list of known values has a reason of its own. */
function createQueryCheck(schema: TSchema | undefined): (values: Record<string, unknown>) => void {
  if (schema === undefined) return () => {};
  const validator = createValidator(schema);
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  return (values) => {
    const faults = toParameterFaults(validator.faults(values));
    const [first] = faults;
    if (first === undefined) return;
    if (properties[first.path]?.type === "array")
      throw new AppError("QUERY_INVALID_FILTERS", [first.path, first.message], { details: faults });
    throw validationError(faults, "parameter");
  };
}

/** For a body where none is expected: all of its members are unknown. */
function membersOfUnwanted(request: FastifyRequest): string[] {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return [];
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return Object.keys(body).map((name) => `/${name}`);
  } catch {
    // Such a body is never read.
  }
  return ["the body"];
}

/**
 * RFC 7240: without `handling=strict`, an unknown member is kept if the schema allows it and otherwise ignored, and the response names it.
 */
function reportUnknown(
  request: FastifyRequest,
  names: readonly string[],
  members: readonly UnknownMember[],
  placed: Placed = (details) => [...details],
): Record<string, string> {
  const { prefer } = request.headers;
  if (prefer !== undefined && isStrict(String(prefer))) {
    const details: ErrorDetail[] = [...names.map((path) => ({ path, message: "is unknown here" })), ...placed(members.map(strictFault))];
    if (details.length > 0) throw validationError(details, "with Prefer: handling=strict,");
  }
  const unknown = [...names, ...members.filter(({ isKept }) => !isKept).map(({ path }) => path)];
  return unknown.length === 0 ? {} : { "x-unknown-members": unknownMembersHeader(unknown) };
}

/** Named in a response header. */
const maxReported = 20;

/** Names of members are the caller's text: only harmless characters go into a header, up to a limited length. */
function unknownMembersHeader(names: readonly string[]): string {
  return names
    .slice(0, maxReported)
    .map((name) => encodeURI(name.slice(0, 100).replace(/\p{Surrogate}/gu, "?")).replaceAll(",", "%2C"))
    .join(", ");
}

/**
 * Turns the raw query string into the values that the schema describes. Only here, and only for query parameters, text becomes numbers and
 * booleans. Lists are split at literal commas *before* decoding, so that an item may contain an encoded comma; a parameter may also be
 * repeated. Values of an enum match regardless of case. Text that fits no type stays text, and the validator reports it.
 */
interface QueryReader {
  read(raw: string): ReadQuery;
}

interface ReadQuery {
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

function createQueryReader(schema: TSchema | undefined): QueryReader {
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
function toParameterFaults(faults: ErrorDetail[]): ErrorDetail[] {
  return faults.map(({ path, message }) => ({ path: path.split("/")[1] ?? path, message }));
}

/** Errors about a YAML body get the line and column. */
export async function withPlaces<T>({ placed }: Input, work: () => Promise<T>): Promise<T> {
  if (placed === undefined) return work();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    throw new AppError(error.reason, error.values, { details: placed(error.details), cause: error });
  }
}

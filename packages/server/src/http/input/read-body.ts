// The body of a request: its text, its value, and whether the endpoint takes that.
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import type { Steps } from "../../base/process/slices.ts";
import { withoutHead } from "../../core/apply/own-document.ts";
import { createValidator, misleadingNames, refuseLargeObjects } from "../../core/document/validator.ts";
import { invalidYaml, readYamlBody } from "../../core/document/yaml-body.ts";
import { validationError } from "../answer/error-response.ts";

/** What was read from a body, and the body as it came. */
export interface Body {
  body: unknown;
  rawBody: string;
  rawBytes: Uint8Array;
  mediaType: string;
  /** For a body that came as YAML: the same details with line and column. */
  placed?: Placed;
}

export type Placed = (details: readonly ErrorDetail[]) => ErrorDetail[];

const noBody: Body = { body: undefined, rawBody: "", rawBytes: new Uint8Array(), mediaType: "" };

/**
 * Bodies of other systems, at the endpoints that take their token in the query, are read as those systems write them. An empty body counts
 * as none, whatever its content type is. Without a schema no body is accepted, see `membersOfUnwanted`.
 */
export function createBodyReader(endpoint: Endpoint): (request: FastifyRequest) => Steps<Body> {
  const schema = endpoint.body as TSchema | undefined;
  if (schema === undefined)
    return function* () {
      yield;
      return noBody;
    };
  const allowed = endpoint.consumes ?? (takesYaml(endpoint) ? ["application/json", yamlType] : ["application/json"]);
  const isOwnYaml = endpoint.readsYaml ?? (() => endpoint.consumes !== undefined);
  const validator = createValidator(schema);
  const check = (value: unknown) => {
    if (endpoint.presentBody !== undefined) refuseLargeObjects(value);
    const own = endpoint.documentKinds === undefined ? { body: value, faults: [] } : withoutHead(value, endpoint.documentKinds);
    const body = endpoint.presentBody?.(own.body) ?? own.body;
    return { body, faults: [...own.faults, ...validator.faults(body), ...misleadingNames(body)] };
  };
  return function* (request) {
    const bytes = request.body as Buffer | undefined;
    if (bytes === undefined || bytes.length === 0) {
      if (endpoint.bodyOptional === true) return noBody;
      throw new AppError("BAD_REQUEST", [`a body of type ${allowed.join(" or ")} is required`]);
    }
    const coding = request.headers["content-encoding"] ?? "identity";
    if (coding !== "identity") throw new AppError("UNSUPPORTED_MEDIA_TYPE", [`with content-encoding ${coding}`, "no content-encoding"]);
    const mediaType = readMediaType(request.headers["content-type"] ?? allowed[0] ?? "application/json", allowed);
    const rawBody = decodeText(bytes);
    const isYaml = mediaType === yamlType && !isOwnYaml(rawBody);
    if (!isYaml && !/[/+]json$/.test(mediaType)) return { body: rawBody, rawBody, rawBytes: bytes, mediaType };
    if (rawBody.trim() === "" && endpoint.bodyOptional === true) return noBody;
    if (isYaml) {
      const { value, placed } = readYamlBody(rawBody, schema);
      yield;
      const { body, faults } = check(value);
      if (faults.length > 0) throw invalidYaml(placed(faults));
      return { body, rawBody, rawBytes: bytes, mediaType: "application/json", placed };
    }
    const value = yield* parseJson(rawBody, { mayRepeat: endpoint.tokenInQuery === true });
    const { body, faults } = check(value);
    yield;
    if (faults.length > 0) throw validationError(faults, "body");
    return { body, rawBody, rawBytes: bytes, mediaType };
  };
}

const yamlType = "application/x-yaml";

/** Bodies that people write, not those that other systems send and sign. */
function takesYaml({ tokenInQuery, signedBy }: Endpoint): boolean {
  return tokenInQuery !== true && signedBy === undefined;
}

/**
 * Turns the bytes of a body into its text and value. It refuses everything that the database could not store, or that would come back
 * changed: invalid UTF-8, NUL, lone surrogates, numbers beyond the range or precision of a double, more than 64 levels of nesting. A
 * duplicate member is refused as well, except in requests of other systems, where the last one counts (RFC 8259 leaves it open).
 */
const maxDepth = 64;
const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", ["the body is not valid UTF-8"], { cause });
  }
  if (text.includes("\0")) throw new AppError("BAD_REQUEST", ["the body contains a NUL character, which can't be stored"]);
  return text;
}

function* parseJson(text: string, { mayRepeat = false } = {}): Steps<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", [`the body is not valid JSON: ${(cause as Error).message}`], { cause });
  }
  yield;
  const fault = findFault(value, 1);
  yield;
  if (fault !== undefined) {
    const where = fault.path === "" ? "the body" : fault.path;
    throw new AppError("BAD_REQUEST", [`${where} ${fault.message}`], { details: [fault] });
  }
  const number = findInexactNumber(text);
  if (number !== undefined) {
    throw new AppError("BAD_REQUEST", [
      `the body contains the number ${number}, which does not fit a 64-bit float exactly; send it as text`,
    ]);
  }
  yield;
  const repeated = mayRepeat ? undefined : findRepeatedMember(text);
  if (repeated !== undefined) {
    const details = [{ path: repeated, message: "appears twice in one object; leave one of them out" }];
    throw new AppError("BAD_REQUEST", [`${repeated} ${details[0]?.message}`], { details });
  }
  yield;
  return value;
}

/** The path is built on the way back, so that a valid body costs no strings. */
function findFault(value: unknown, depth: number): ErrorDetail | undefined {
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number" && !Number.isFinite(value)) return { path: "", message: "is a number outside the range of a 64-bit float" };
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return { path: "", message: `is nested deeper than ${maxDepth} levels` };
  for (const [member, inner] of Object.entries(value)) {
    const fault =
      member === "__proto__" ? { path: "", message: "is not allowed as a name" } : (textFault(member) ?? findFault(inner, depth + 1));
    if (fault !== undefined) return { path: `/${member.slice(0, 50)}${fault.path}`, message: fault.message };
  }
  return undefined;
}

const loneSurrogate = /\p{Surrogate}/u;

function textFault(text: string): ErrorDetail | undefined {
  if (text.includes("\0")) return { path: "", message: "contains a NUL character, which can't be stored" };
  return loneSurrogate.test(text) ? { path: "", message: "contains half of a surrogate pair, which is not a character" } : undefined;
}

const yamlSpellings = /^(?:application|text)\/(?:x-)?yaml$/;

/** Media type without parameters, in lower case. The different names of YAML become one. Charsets other than UTF-8 are refused. */
function readMediaType(header: string, allowed: readonly string[]): string {
  const [essence = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  const type = yamlSpellings.test(essence) ? "application/x-yaml" : essence;
  const isAllowed = allowed.includes(type) || (allowed.includes("application/json") && /^application\/[\w.-]+\+json$/.test(type));
  if (!isAllowed || (charset !== undefined && charset !== "utf-8" && charset !== "utf8" && charset !== "us-ascii")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", [header, allowed.join(" or ")]);
  }
  return type;
}

/**
 * The first duplicate member in an object of a JSON text, as a JSON pointer; undefined if there is none. `JSON.parse` silently drops all
 * but the last of them.
 *
 * @param text valid JSON
 */
export function findRepeatedMember(text: string): string | undefined {
  /** From the outermost object or list inwards. */
  const open: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const top = open.at(-1);
    switch (text[at]) {
      case "{":
        open.push({ names: new Set(), step: "", expectsName: true });
        break;
      case "[":
        open.push({ names: undefined, step: 0, expectsName: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (top?.names === undefined) (top as ListLevel).step += 1;
        else top.expectsName = true;
        break;
      case '"': {
        const end = endOfText(text, at);
        if (top?.names !== undefined && top.expectsName) {
          top.step = nameOf(text.slice(at, end));
          top.expectsName = false;
          if (top.names.has(top.step)) return open.map(({ step }) => `/${escaped(String(step))}`).join("");
          top.names.add(top.step);
        }
        at = end - 1;
        break;
      }
    }
  }
  return undefined;
}

interface ObjectLevel {
  names: Set<string>;
  step: string;
  /** The next text is a name, not a value. */
  expectsName: boolean;
}
interface ListLevel {
  names: undefined;
  step: number;
  expectsName: false;
}
type Level = ObjectLevel | ListLevel;

/** Index after the closing quote of the string literal that begins there. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  // A quote after an odd number of backslashes belongs to the text.
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** The same name can be written in several ways. */
function nameOf(literal: string): string {
  return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function escaped(step: string): string {
  return step.slice(0, 50).replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * The first whole number in a JSON text that a 64-bit float can't hold exactly, as it stands there; undefined when there is none.
 * `JSON.parse` would change such a number without a word. Fractions are not examined: that they are rounded is their nature.
 *
 * @param text valid JSON
 */
export function findInexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const numberOrQuote = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (let match = numberOrQuote.exec(text); match !== null; match = numberOrQuote.exec(text)) {
    if (match[0] === '"') numberOrQuote.lastIndex = endOfText(text, match.index);
    else if (isInexact(match[0])) return match[0];
  }
  return undefined;
}

function isInexact(number: string): boolean {
  if (number.length < 16 || !/^-?\d+$/.test(number)) return false;
  const value = Number(number);
  // A number that is written with the same digits again survives unchanged, whatever follows the last of them.
  if (String(value) === number) return false;
  return Number.isFinite(value) && BigInt(value) !== BigInt(number);
}

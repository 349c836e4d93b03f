import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { findInexactNumber, findRepeatedMember } from "../../base/text/json-text.ts";

/**
 * Turns the bytes of a body into its text and value. It refuses everything that the database could not store, or that would come back
 * changed: invalid UTF-8, NUL, lone surrogates, numbers beyond the range or precision of a double, more than 64 levels of nesting. A
 * duplicate member is refused as well, except in requests of other systems, where the last one counts (RFC 8259 leaves it open).
 */
const maxDepth = 64;
const decoder = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", ["the body is not valid UTF-8"], { cause });
  }
  if (text.includes("\0")) throw new AppError("BAD_REQUEST", ["the body contains a NUL character, which can't be stored"]);
  return text;
}

export function parseJson(text: string, { mayRepeat = false } = {}): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", [`the body is not valid JSON: ${(cause as Error).message}`], { cause });
  }
  const fault = findFault(value, 1);
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
  const repeated = mayRepeat ? undefined : findRepeatedMember(text);
  if (repeated !== undefined) {
    const details = [{ path: repeated, message: "appears twice in one object; leave one of them out" }];
    throw new AppError("BAD_REQUEST", [`${repeated} ${details[0]?.message}`], { details });
  }
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
export function readMediaType(header: string, allowed: readonly string[]): string {
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

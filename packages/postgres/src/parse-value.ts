import { elementOf, types } from "./types.ts";

/** Reads one value of a response, from `start` up to but not including `end`. */
export type ParseValue = (bytes: Buffer, start: number, end: number) => unknown;

/**
 * Returns the reader for a type: `timestamptz`, `timestamp` and `date` become a Date; `bigint` a number; `json` and `jsonb` are parsed;
 * `bytea` becomes a Buffer, and arrays become arrays. Everything else stays text, including `numeric`.
 */
export function parserOf(type: number): ParseValue {
  return parsers.get(type) ?? (elementOf(type) === undefined ? readText : arrayParser(elementOf(type) as number));
}

const readText: ParseValue = (bytes, start, end) => bytes.toString("utf8", start, end);

const zero = 48;
const minus = 45;

/** Up to 15 digits, which a number can always represent. */
function readWhole(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === minus;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at++) value = value * 10 + (bytes[at] as number) - zero;
  return isNegative ? -value : value;
}

const readBigint: ParseValue = (bytes, start, end) =>
  end - start < 16 ? readWhole(bytes, start, end) : toSafeNumber(bytes.toString("latin1", start, end));

/** Counts and versions stay far below 2^53; a larger one is a bug that must not be rounded silently. */
function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the safe range of a number`);
  return value;
}

const plus = 43;
const point = 46;

/** `2026-01-31 12:34:56.789+00`, the format in a session with the time zone UTC; any other format is left to Date. */
const readTime: ParseValue = (bytes, start, end) => {
  const length = end - start;
  const isUsual = length >= 22 && length <= 29 && bytes[end - 3] === plus && bytes[end - 2] === zero && bytes[end - 1] === zero;
  if (!isUsual || bytes[start + 4] !== minus) return new Date(bytes.toString("latin1", start, end));
  const at = (offset: number, digits: number) => readWhole(bytes, start + offset, start + offset + digits);
  return new Date(
    Date.UTC(at(0, 4), at(5, 2) - 1, at(8, 2), at(11, 2), at(14, 2), at(17, 2), readMilliseconds(bytes, start + 19, end - 3)),
  );
};

function readMilliseconds(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] !== point) return 0;
  let value = 0;
  for (let digit = 1; digit <= 3; digit++) value = value * 10 + (start + digit < end ? (bytes[start + digit] as number) - zero : 0);
  return value;
}

const parsers = new Map<number, ParseValue>([
  [types.boolean, (bytes, start) => bytes[start] === 116],
  [types.bytea, (bytes, start, end) => Buffer.from(bytes.toString("latin1", start + 2, end), "hex")],
  [types.bigint, readBigint],
  [types.smallint, readWhole],
  [types.integer, readWhole],
  [types.oid, readWhole],
  [types.real, (bytes, start, end) => Number(bytes.toString("latin1", start, end))],
  [types.double, (bytes, start, end) => Number(bytes.toString("latin1", start, end))],
  [types.json, (bytes, start, end) => JSON.parse(bytes.toString("utf8", start, end))],
  [types.jsonb, (bytes, start, end) => JSON.parse(bytes.toString("utf8", start, end))],
  [types.date, (bytes, start, end) => new Date(bytes.toString("latin1", start, end))],
  [types.timestamp, (bytes, start, end) => new Date(bytes.toString("latin1", start, end))],
  [types.timestamptz, readTime],
]);

function arrayParser(element: number): ParseValue {
  const parse = parsers.get(element);
  const parseElement = parse && ((text: string) => parse(Buffer.from(text), 0, Buffer.byteLength(text)));
  return (bytes, start, end) => new ArrayText(bytes.toString("utf8", start, end), parseElement).read();
}

/** The text of an array: `{1,NULL,"a \"b\"",{2}}`, with its bounds in front where they are unusual (`[0:1]={1,2}`). */
class ArrayText {
  readonly #text: string;
  readonly #parse: ((text: string) => unknown) | undefined;
  #at: number;

  constructor(text: string, parse: ((text: string) => unknown) | undefined) {
    this.#text = text;
    this.#parse = parse;
    this.#at = text.indexOf("{");
  }

  read(): unknown[] {
    const values: unknown[] = [];
    this.#at++;
    while (this.#text[this.#at] !== "}") {
      values.push(this.#readElement());
      if (this.#text[this.#at] === ",") this.#at++;
    }
    this.#at++;
    return values;
  }

  #readElement(): unknown {
    if (this.#text[this.#at] === "{") return this.read();
    const text = this.#text[this.#at] === '"' ? this.#readQuoted() : this.#readPlain();
    return text === undefined || this.#parse === undefined ? (text ?? null) : this.#parse(text);
  }

  #readQuoted(): string {
    const start = ++this.#at;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    const text = this.#text.slice(start, this.#at++);
    return text.includes("\\") ? text.replace(/\\(.)/gs, "$1") : text;
  }

  /** Undefined for NULL. */
  #readPlain(): string | undefined {
    const start = this.#at;
    while (this.#text[this.#at] !== "," && this.#text[this.#at] !== "}") this.#at++;
    const text = this.#text.slice(start, this.#at);
    return text === "NULL" ? undefined : text;
  }
}

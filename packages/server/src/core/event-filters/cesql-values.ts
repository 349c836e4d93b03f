/** A value of CloudEvents SQL: a text, a 32-bit integer, or a boolean. */
export type CesqlValue = string | number | boolean;
export type CesqlType = "string" | "integer" | "boolean";

export type Comparison = "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=";
export type Arithmetic = "*" | "/" | "%" | "+" | "-";
export type Logic = "AND" | "OR" | "XOR";

/** A parsed expression. */
export type CesqlTree =
  | { kind: "literal"; value: CesqlValue }
  | { kind: "attribute"; name: string }
  | { kind: "exists"; name: string }
  | { kind: "not"; operand: CesqlTree }
  | { kind: "minus"; operand: CesqlTree }
  | { kind: "logic"; operator: Logic; left: CesqlTree; right: CesqlTree }
  | { kind: "comparison"; operator: Comparison; left: CesqlTree; right: CesqlTree }
  | { kind: "arithmetic"; operator: Arithmetic; left: CesqlTree; right: CesqlTree }
  | { kind: "like"; isNegated: boolean; left: CesqlTree; pattern: string }
  | { kind: "in"; isNegated: boolean; left: CesqlTree; set: CesqlTree[] }
  | { kind: "call"; name: string; given: CesqlTree[] };

/** In characters. Longer texts are an error of the expression: this limits the cost of an expression for any event. */
export const maxTextLength = 4096;

const leastInteger = -2_147_483_648;
const greatestInteger = 2_147_483_647;

export function typeOfValue(value: CesqlValue): CesqlType {
  if (typeof value === "number") return "integer";
  return typeof value === "string" ? "string" : "boolean";
}

/** The number, if it is a 32-bit integer; an overflow is an error of the expression. */
export function inRange(value: number): number | undefined {
  return Number.isInteger(value) && value >= leastInteger && value <= greatestInteger ? value + 0 : undefined;
}

/** CloudEvents SQL 1.0, 3.7: the value cast to another type; undefined if that is not possible. */
export function castValue(value: CesqlValue, type: CesqlType): CesqlValue | undefined {
  if (typeOfValue(value) === type) return value;
  if (type === "string") return String(value);
  return type === "integer" ? asInteger(value) : asBoolean(value);
}

function asInteger(value: CesqlValue): number | undefined {
  if (typeof value === "string") return /^[+-]?\d{1,20}$/.test(value) ? inRange(Number(value)) : undefined;
  return Number(value);
}

function asBoolean(value: CesqlValue): boolean | undefined {
  if (typeof value === "number") return value !== 0;
  const word = String(value).toLowerCase();
  return word === "true" || word === "false" ? word === "true" : undefined;
}

/** The context attribute as a value of CloudEvents SQL; undefined if the event does not have it. Data is not an attribute. */
export function attributeOf(event: Readonly<Record<string, unknown>>, name: string): CesqlValue | undefined {
  const value = name !== "data" && Object.hasOwn(event, name) ? event[name] : undefined;
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" ? (inRange(value) ?? String(value)) : undefined;
}

import { driverError } from "./database-error.ts";
import { Parameter } from "./parameter.ts";
import { arrayOf, elementOf, types } from "./types.ts";

/** The type that a value is sent with; 0 lets the server infer it from the context. */
export function typeOf(value: unknown): number {
  if (typeof value === "string" || typeof value === "number" || value === null) return 0;
  if (typeof value === "boolean") return types.boolean;
  if (typeof value === "bigint") return types.bigint;
  if (value instanceof Parameter) return value.type;
  if (value instanceof Date) return types.timestamptz;
  if (value instanceof Uint8Array) return types.bytea;
  if (Array.isArray(value) && value.length > 0) return arrayOf(typeOf(value[0]));
  return 0;
}

/** A value as text for the server. @param type as described by the server; 0 if unknown */
export function toText(value: unknown, type: number): string {
  if (type === types.json || type === types.jsonb) return typeof value === "string" ? value : JSON.stringify(value);
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return arrayText(value, elementOf(type) ?? 0);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
  if (typeof value === "number" && (type === types.timestamptz || type === types.timestamp)) return new Date(value).toISOString();
  return String(value);
}

function arrayText(values: readonly unknown[], element: number): string {
  let text = "{";
  for (let at = 0; at < values.length; at++) {
    if (at > 0) text += ",";
    text += elementText(values[at], element);
  }
  return `${text}}`;
}

function elementText(given: unknown, element: number): string {
  const value = given instanceof Parameter ? given.value : given;
  if (value === null) return "null";
  if (typeof value === "number") return String(value);
  if (value === undefined) throw undefinedValue();
  if (Array.isArray(value) && element !== types.json && element !== types.jsonb) return arrayText(value, element);
  const text = toText(value, element);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, "\\$&") : text}"`;
}

export function undefinedValue(): Error {
  return driverError("UNDEFINED_VALUE", "A parameter of a statement is undefined; null is a value, undefined is a mistake");
}

import { type CesqlType, type CesqlValue, castValue, inRange } from "./cesql-values.ts";

/** A function of CloudEvents SQL. Its arguments are already cast to the types of its parameters; undefined is an error. */
export interface CesqlFunction {
  parameters: readonly (CesqlType | "any")[];
  /** Type of further arguments, if it accepts any number of them. */
  rest?: CesqlType;
  returns: CesqlType;
  apply(...given: never[]): CesqlValue | undefined;
}

/** CloudEvents SQL 1.0, 3.5; functions of the same name differ in their number of arguments. */
const functions: Readonly<Record<string, readonly CesqlFunction[]>> = {
  LENGTH: [{ parameters: ["string"], returns: "integer", apply: (text: string) => [...text].length }],
  CONCAT: [{ parameters: [], rest: "string", returns: "string", apply: (...texts: string[]) => texts.join("") }],
  CONCAT_WS: [
    { parameters: ["string"], rest: "string", returns: "string", apply: (between: string, ...texts: string[]) => texts.join(between) },
  ],
  LOWER: [{ parameters: ["string"], returns: "string", apply: (text: string) => text.toLowerCase() }],
  UPPER: [{ parameters: ["string"], returns: "string", apply: (text: string) => text.toUpperCase() }],
  TRIM: [{ parameters: ["string"], returns: "string", apply: (text: string) => text.trim() }],
  LEFT: [{ parameters: ["string", "integer"], returns: "string", apply: left }],
  RIGHT: [{ parameters: ["string", "integer"], returns: "string", apply: right }],
  SUBSTRING: [
    { parameters: ["string", "integer"], returns: "string", apply: substring },
    { parameters: ["string", "integer", "integer"], returns: "string", apply: substring },
  ],
  ABS: [{ parameters: ["integer"], returns: "integer", apply: (value: number) => inRange(Math.abs(value)) }],
  INT: [{ parameters: ["any"], returns: "integer", apply: (value: CesqlValue) => castValue(value, "integer") }],
  BOOL: [{ parameters: ["any"], returns: "boolean", apply: (value: CesqlValue) => castValue(value, "boolean") }],
  STRING: [{ parameters: ["any"], returns: "string", apply: (value: CesqlValue) => castValue(value, "string") }],
  IS_INT: [{ parameters: ["any"], returns: "boolean", apply: (value: CesqlValue) => castValue(value, "integer") !== undefined }],
  IS_BOOL: [{ parameters: ["any"], returns: "boolean", apply: (value: CesqlValue) => castValue(value, "boolean") !== undefined }],
};

export const functionNames = Object.keys(functions);

/** The function with this name and number of arguments. */
export function findFunction(name: string, count: number): CesqlFunction | undefined {
  const overloads = Object.hasOwn(functions, name) ? functions[name]! : [];
  return overloads.find(({ parameters, rest }) => parameters.length === count || (rest !== undefined && count >= parameters.length));
}

/** The possible numbers of arguments of a function, for the error message: "1", "2 or 3", "at least 1". */
export function argumentCounts(name: string): string {
  const counts = functions[name]!.map(({ parameters, rest }) => `${rest === undefined ? "" : "at least "}${parameters.length}`);
  return counts.join(" or ");
}

function left(text: string, count: number): string | undefined {
  return count < 0 ? undefined : [...text].slice(0, count).join("");
}

function right(text: string, count: number): string | undefined {
  const characters = [...text];
  return count < 0 ? undefined : characters.slice(Math.max(0, characters.length - count)).join("");
}

/** Characters count from 1, or from the end if the position is negative; position 0 is the empty text. */
function substring(text: string, position: number, length = Number.MAX_SAFE_INTEGER): string | undefined {
  const characters = [...text];
  if (Math.abs(position) > characters.length || length < 0) return undefined;
  if (position === 0) return "";
  const start = position > 0 ? position - 1 : characters.length + position;
  return characters.slice(start, start + length).join("");
}

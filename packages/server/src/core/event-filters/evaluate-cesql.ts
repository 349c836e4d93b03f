import { findFunction } from "./cesql-functions.ts";
import {
  type Arithmetic,
  attributeOf,
  type CesqlTree,
  type CesqlType,
  type CesqlValue,
  type Comparison,
  castValue,
  inRange,
  maxTextLength,
  typeOfValue,
} from "./cesql-values.ts";

/** The values of an event's context attributes, by name; other members are not examined. */
export type EventAttributes = Readonly<Record<string, unknown>>;

/**
 * The value of an expression of CloudEvents SQL 1.0 for an event; undefined if there was an error (a missing attribute, a cast, a division
 * by zero, a number or text that is too large). A filter with an error does not hold, so evaluation stops at the first error: the rest
 * could not change that.
 */
export function evaluateCesql(tree: CesqlTree, event: EventAttributes): CesqlValue | undefined {
  switch (tree.kind) {
    case "literal":
      return tree.value;
    case "attribute":
      return bounded(attributeOf(event, tree.name));
    case "exists":
      return attributeOf(event, tree.name) !== undefined;
    case "not":
      return negated(booleanOf(tree.operand, event));
    case "minus":
      return minus(cast(evaluateCesql(tree.operand, event), "integer"));
    case "logic":
      return logic(tree, event);
    case "comparison":
      return compare(tree.operator, evaluateCesql(tree.left, event), evaluateCesql(tree.right, event));
    case "arithmetic":
      return calculate(tree.operator, cast(evaluateCesql(tree.left, event), "integer"), cast(evaluateCesql(tree.right, event), "integer"));
    case "like":
      return like(tree, event);
    case "in":
      return isIn(tree, event);
    case "call":
      return call(tree, event);
  }
}

function bounded(value: CesqlValue | undefined): CesqlValue | undefined {
  return typeof value === "string" && value.length > maxTextLength ? undefined : value;
}

function cast(value: CesqlValue | undefined, type: CesqlType | "any"): CesqlValue | undefined {
  return value === undefined || type === "any" ? value : castValue(value, type);
}

function booleanOf(tree: CesqlTree, event: EventAttributes): boolean | undefined {
  return cast(evaluateCesql(tree, event), "boolean") as boolean | undefined;
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function minus(value: CesqlValue | undefined): CesqlValue | undefined {
  return value === undefined ? undefined : inRange(-(value as number));
}

/** If the left side of AND or OR decides alone, the right side is not evaluated, so its errors do not occur. */
function logic({ operator, left, right }: Extract<CesqlTree, { kind: "logic" }>, event: EventAttributes): boolean | undefined {
  const first = booleanOf(left, event);
  if (first === undefined || (operator === "AND" && !first) || (operator === "OR" && first)) return first;
  const second = booleanOf(right, event);
  return operator === "XOR" && second !== undefined ? first !== second : second;
}

/** For equality, the right side determines the type (3.7); order compares numbers. */
function compare(operator: Comparison, left: CesqlValue | undefined, right: CesqlValue | undefined): boolean | undefined {
  if (right === undefined) return undefined;
  const isEquality = operator === "=" || operator === "!=" || operator === "<>";
  const type = isEquality ? typeOfValue(right) : "integer";
  const first = cast(left, type);
  const second = cast(right, type);
  if (first === undefined || second === undefined) return undefined;
  switch (operator) {
    case "=":
      return first === second;
    case "!=":
    case "<>":
      return first !== second;
    case "<":
      return first < second;
    case "<=":
      return first <= second;
    case ">":
      return first > second;
    case ">=":
      return first >= second;
  }
}

function calculate(operator: Arithmetic, left: CesqlValue | undefined, right: CesqlValue | undefined): CesqlValue | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  switch (operator) {
    case "*":
      return inRange(left * right);
    case "/":
      return inRange(Math.trunc(left / right));
    case "%":
      return inRange(left % right);
    case "+":
      return inRange(left + right);
    case "-":
      return inRange(left - right);
  }
}

function like({ left, pattern, isNegated }: Extract<CesqlTree, { kind: "like" }>, event: EventAttributes): boolean | undefined {
  const text = cast(evaluateCesql(left, event), "string");
  return text === undefined ? undefined : matchesLike(text as string, pattern) !== isNegated;
}

/** Here the left side determines the type. */
function isIn({ left, set, isNegated }: Extract<CesqlTree, { kind: "in" }>, event: EventAttributes): boolean | undefined {
  const wanted = evaluateCesql(left, event);
  if (wanted === undefined) return undefined;
  let isFound = false;
  for (const item of set) {
    const value = cast(evaluateCesql(item, event), typeOfValue(wanted));
    if (value === undefined) return undefined;
    isFound ||= value === wanted;
  }
  return isFound !== isNegated;
}

function call({ name, given }: Extract<CesqlTree, { kind: "call" }>, event: EventAttributes): CesqlValue | undefined {
  const called = findFunction(name, given.length);
  const values = given.map((one, index) => cast(evaluateCesql(one, event), called?.parameters[index] ?? called?.rest ?? "any"));
  return called && values.every((value) => value !== undefined) ? bounded(called.apply(...(values as never[]))) : undefined;
}

/**
 * LIKE of CloudEvents SQL: `%` matches any text, `_` one character; a backslash escapes either. The part after a `%` is searched from left
 * to right, and its first match is final, so the time is at most the product of both lengths.
 */
function matchesLike(text: string, pattern: string): boolean {
  const characters = [...text];
  const steps = stepsOf(pattern);
  let at = 0;
  let step = 0;
  let retry: { at: number; step: number } | undefined;
  while (at < characters.length) {
    const wanted = steps[step];
    if (wanted === anyText) {
      step++;
      retry = { at, step };
    } else if (wanted !== undefined && (wanted === anyCharacter || wanted === characters[at])) {
      at++;
      step++;
    } else if (retry) {
      retry.at++;
      ({ at, step } = retry);
    } else return false;
  }
  return steps.slice(step).every((left) => left === anyText);
}

const anyText = Symbol("%");
const anyCharacter = Symbol("_");

function stepsOf(pattern: string): (string | symbol)[] {
  const parts = pattern.match(/\\[%_]|[\s\S]/gu) ?? [];
  return parts.map((part) => {
    if (part === "%") return anyText;
    return part === "_" ? anyCharacter : part.slice(part.length > 1 && part.startsWith("\\") ? 1 : 0);
  });
}

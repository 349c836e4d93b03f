import { driverError } from "./database-error.ts";
import { Identifier, Parameter } from "./parameter.ts";
import { type CompiledStatement, Query } from "./query.ts";
import { typeOf, undefinedValue } from "./value-text.ts";

/**
 * The texts of templates whose values are all parameters. The same string is returned each time, so that it is found quickly in a statement
 * table.
 */
const texts = new WeakMap<readonly string[], string>();

/** @throws Error with the code UNDEFINED_VALUE or MAX_PARAMETERS_EXCEEDED */
export function compileStatement(strings: readonly string[], args: readonly unknown[]): CompiledStatement {
  const compiled: Draft = { text: "", values: [], types: [] };
  if (args.some(isPartOfText)) {
    appendTemplate(compiled, strings, args);
  } else {
    for (const value of args) addParameter(compiled, value);
    compiled.text = textOf(strings);
  }
  if (compiled.values.length > maxParameters) {
    throw driverError("MAX_PARAMETERS_EXCEEDED", `A statement has ${compiled.values.length} parameters; at most ${maxParameters} fit`);
  }
  return compiled;
}

interface Draft {
  text: string;
  values: unknown[];
  types: number[];
}

/** The protocol counts parameters in 16 bits. */
const maxParameters = 65_535;

function isPartOfText(value: unknown): boolean {
  return value instanceof Query || value instanceof Identifier || (Array.isArray(value) && value[0] instanceof Query);
}

function textOf(strings: readonly string[]): string {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.reduce((before, after, index) => `${before}$${index}${after}`);
    texts.set(strings, text);
  }
  return text;
}

function appendTemplate(compiled: Draft, strings: readonly string[], args: readonly unknown[]): void {
  for (let at = 0; at < strings.length; at++) {
    compiled.text += strings[at];
    if (at < args.length) append(compiled, args[at]);
  }
}

function append(compiled: Draft, value: unknown): void {
  if (value instanceof Identifier) compiled.text += value.text;
  else if (value instanceof Query) appendTemplate(compiled, value.strings, value.args);
  else if (Array.isArray(value) && value[0] instanceof Query) {
    for (const part of value) {
      compiled.text += " ";
      append(compiled, part);
    }
  } else {
    compiled.text += `$${addParameter(compiled, value)}`;
  }
}

function addParameter(compiled: Draft, given: unknown): number {
  const value = given instanceof Parameter ? given.value : given;
  if (value === undefined) throw undefinedValue();
  compiled.types.push(typeOf(given));
  return compiled.values.push(value);
}

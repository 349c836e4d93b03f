import type { Parse } from "./parse-value.ts";

/** One setting that is read before the start, and its row in docs/configuration.md. */
export interface Setting<T> {
  /** Of the environment variable. */
  name: string;
  /** The text that is taken when the setting is not given; undefined: there is none. */
  default: string | undefined;
  /** For docs/configuration.md, where the default is not to be given letter by letter. */
  defaultNote?: string;
  description: string;
  parse: Parse<T>;
}

/** A setting that always has a value. */
export function required<T>(name: string, defaultText: string, description: string, parse: Parse<T>, defaultNote?: string): Setting<T> {
  return { name, default: defaultText, description, parse, ...(defaultNote === undefined ? {} : { defaultNote }) };
}

/** A setting whose value is undefined where it is not given. */
export function optional<T>(name: string, description: string, parse: Parse<T>, defaultNote: string): Setting<T | undefined> {
  return { name, default: undefined, description, parse, defaultNote };
}

import type { Parse } from "./parse-value.ts";

/** A setting that is read before the start, and its row in docs/configuration.md. */
export interface Setting<T> {
  /** Name of the environment variable. */
  name: string;
  /** The default text; undefined if there is none. */
  default: string | undefined;
  /** For docs/configuration.md, if the default can't be shown literally. */
  defaultNote?: string;
  description: string;
  parse: Parse<T>;
}

/** A setting that always has a value. */
export function required<T>(name: string, defaultText: string, description: string, parse: Parse<T>, defaultNote?: string): Setting<T> {
  return { name, default: defaultText, description, parse, ...(defaultNote === undefined ? {} : { defaultNote }) };
}

/** A setting whose value is undefined if it is not set. */
export function optional<T>(name: string, description: string, parse: Parse<T>, defaultNote: string): Setting<T | undefined> {
  return { name, default: undefined, description, parse, defaultNote };
}

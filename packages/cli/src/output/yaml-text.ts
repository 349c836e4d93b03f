import { parse, stringify } from "yaml";

/** Imported when it is needed, so that commands without YAML begin at once. */

/** No aliases, and no line is folded: what is written can be edited and sent again. */
export function formatYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** @throws {Error} where it is wrong, with line and column */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

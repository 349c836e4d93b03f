import { parse, parseAllDocuments, stringify } from "yaml";

/** Imported when it is needed, so that commands without YAML begin at once. */

/**
 * No aliases, and no line is folded: what is written can be edited and sent again. Texts that YAML 1.1 would take for something else
 * (`n`, `on`, `0755`) are in quotes, since the service refuses them without.
 */
export function formatYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

/** @throws {Error} where it is wrong, with line and column */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** The documents of a stream, each as text and as a value. @throws {Error} where one is wrong, with line and column */
export function parseYamlStream(text: string): { text: string; value: unknown }[] {
  const documents = parseAllDocuments(text, { stringKeys: true });
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return { text: document.toString(), value: document.toJS({ maxAliasCount: 100 }) };
  });
}

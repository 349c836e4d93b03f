import { parse, parseAllDocuments, stringify } from "yaml";

/** Imported on demand, so that commands without YAML start faster. */

/**
 * Uses no aliases and folds no lines, so that the output can be edited and sent again. Texts that YAML 1.1 would read as another type (`n`,
 * `on`, `0755`) are quoted, since the service rejects them unquoted.
 */
export function formatYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

/** @throws {Error} if it is invalid, with line and column */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** The documents of a stream, each as text and as a value. @throws {Error} if one is invalid, with line and column */
export function parseYamlStream(text: string): { text: string; value: unknown }[] {
  const documents = parseAllDocuments(text, { stringKeys: true });
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return { text: document.toString(), value: document.toJS({ maxAliasCount: 100 }) };
  });
}

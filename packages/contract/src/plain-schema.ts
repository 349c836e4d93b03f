import { namedSchemas } from "./schema.ts";

/**
 * A schema for other programs (JSON Schema 2020-12): without the library's own symbols, and with a reference in place of each named schema,
 * except for the root.
 *
 * @param place of the named schemas in the document, as a JSON pointer
 */
export function toPlainSchema(schema: unknown, isRoot = false, place = "#/components/schemas/"): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toPlainSchema(item, false, place));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, ...rest } = schema as { $id?: string } & Record<string, unknown>;
  if ($id !== undefined && !isRoot && namedSchemas().has($id)) return { $ref: referenceTo($id, place) };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toPlainMember(key, value, place)]));
}

const verbatim = new Set(["examples", "default", "const", "enum", "required", "example"]);

function toPlainMember(key: string, value: unknown, place: string): unknown {
  if (key === "$ref" && typeof value === "string") return referenceTo(value, place);
  if (key === "properties" || key === "patternProperties") {
    return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, toPlainSchema(inner, false, place)]));
  }
  return verbatim.has(key) ? value : toPlainSchema(value, false, place);
}

function referenceTo(id: string, place: string): string {
  if (!namedSchemas().has(id)) throw new Error(`a schema refers to ${id}, which has no definition`);
  return `${place}${id}`;
}

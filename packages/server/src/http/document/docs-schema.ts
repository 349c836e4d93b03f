import { anchor, code, escapeHtml, prose, sample, table, words } from "./docs-html.ts";

/** A schema of the API document, as far as the page shows it. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  items?: DocumentedSchema;
  anyOf?: DocumentedSchema[];
  additionalProperties?: DocumentedSchema | boolean;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  examples?: unknown[];
}

/** A named schema: its members with their types, and an example. */
export function renderSchema(name: string, schema: DocumentedSchema): string {
  const { properties = {}, required = [], description = "", examples = [] } = schema;
  const rows = Object.entries(properties).map(([member, inner]) => [
    code(member),
    typeCell(inner),
    required.includes(member) ? "yes" : "",
    words(inner.description ?? ""),
  ]);
  const members = rows.length === 0 ? `<p>${shape(schema)}</p>` : table(["Member", "Type", "Required", "Meaning"], rows);
  const shown = examples.length === 0 ? "" : `<details><summary>Example</summary>${sample(examples[0])}</details>`;
  return `<section><h3 id="schema-${anchor(name)}">${escapeHtml(name)}</h3>${prose(description)}${members}${shown}</section>`;
}

/** A short description of the type in HTML; named schemas are links. */
export function shape(schema: DocumentedSchema): string {
  const { $ref, anyOf, items, enum: values, properties, additionalProperties } = schema;
  if ($ref !== undefined) return `<a href="#schema-${anchor(nameOf($ref))}">${escapeHtml(nameOf($ref))}</a>`;
  if (anyOf !== undefined) return anyOf.map(shape).join(" or ");
  if (items !== undefined) return `list of ${shape(items)}${[schema.type].flat().includes("null") ? " or null" : ""}`;
  if (values !== undefined) return values.map((value) => code(String(value))).join(" ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (properties !== undefined && Object.keys(properties).length > 0) return `object: ${membersOf(properties)}`;
  if (typeof additionalProperties === "object") return `map of ${shape(additionalProperties)}`;
  return escapeHtml([schema.type ?? "anything"].flat().join(" or "));
}

function membersOf(properties: Record<string, DocumentedSchema>): string {
  return Object.entries(properties)
    .map(([name, inner]) => `${code(name)} ${shape(inner)}`)
    .join(", ");
}

/** The type, and below it the limits of a value and its default. */
export function typeCell(schema: DocumentedSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, default: preset, format } = schema;
  const said = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(undefined, maxItems, " items"),
    format === undefined || format === "int64" ? "" : format,
    preset === undefined ? "" : `default ${typeof preset === "string" ? preset : JSON.stringify(preset)}`,
  ].filter(Boolean);
  return said.length === 0 ? shape(schema) : `${shape(schema)}<br><small>${escapeHtml(said.join(", "))}</small>`;
}

/** Hides limits that merely are the ends of the number range, since they tell the reader nothing. */
const largestShown = 2 ** 31 - 2;

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined || most > largestShown) return least === undefined ? "" : `at least ${least}${unit}`;
  return `${least === undefined ? "at most" : `${least} to`} ${most}${unit}`;
}

export function nameOf(reference: string): string {
  return reference.split("/").at(-1)!;
}

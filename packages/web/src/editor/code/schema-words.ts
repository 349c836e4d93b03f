/** The subset of JSON Schema that the documents of the service use. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  default?: unknown;
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
}

/** All schemas that are possible at a path; an item of a list is `[]`. */
function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let found = alternatives(root, root);
  for (const step of path) {
    const next = found.flatMap((each) => {
      if (step === "[]") return each.items ? [each.items] : [];
      const own = Object.hasOwn(each.properties ?? {}, step) ? each.properties?.[step] : each.additionalProperties;
      return typeof own === "object" ? [own] : [];
    });
    found = next.flatMap((each) => alternatives(each, root));
  }
  return found;
}

/** The target of a reference, and each of several alternatives. The description of the place itself is kept. */
function alternatives(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  const { $ref, anyOf, description } = schema;
  const told = (each: Schema): Schema => (description === undefined || each.description !== undefined ? each : { ...each, description });
  const name = $ref?.replace("#/$defs/", "");
  const target = name === undefined ? undefined : root.$defs?.[name];
  if (target) return alternatives(target, root, depth + 1).map((each) => (description === undefined ? each : { ...each, description }));
  return anyOf ? anyOf.flatMap((each) => alternatives(each, root, depth + 1).map(told)) : [schema];
}

/** A word that is possible at a place, with its description. */
export interface SchemaWord {
  word: string;
  told: string;
}

/** The members that can be written there, without those that only the service sets. */
export function keysAt(root: Schema, path: readonly string[]): SchemaWord[] {
  const words = schemasAt(root, path).flatMap(({ properties = {} }) => Object.keys(properties));
  return [...new Set(words)]
    .map((word) => ({ word, told: toldOf(schemasAt(root, [...path, word])) }))
    .filter(({ told }) => !told.includes("Set by the service"));
}

/** The values that the schema lists for a place. */
export function valuesAt(root: Schema, path: readonly string[]): SchemaWord[] {
  const found = schemasAt(root, path);
  const named = found.flatMap(({ enum: all = [], const: only, examples = [], type }) => [
    ...all,
    ...(only === undefined ? [] : [only]),
    ...examples,
    ...([type].flat().includes("boolean") ? [true, false] : []),
  ]);
  const words = named.filter((value) => ["string", "number", "boolean"].includes(typeof value)).map(String);
  return [...new Set(words)].map((word) => ({ word, told: "" }));
}

/** The description of a place in a line or two; empty if there is none. */
export function toldAt(root: Schema, path: readonly string[]): string {
  return toldOf(schemasAt(root, path));
}

function toldOf(schemas: readonly Schema[]): string {
  const types = new Set(schemas.flatMap(({ type }) => [type].flat()).filter((type) => type !== undefined && type !== "null"));
  const values = [...new Set(schemas.flatMap(({ enum: all = [], const: only }) => [...all, ...(only === undefined ? [] : [only])]))];
  const head = values.length > 0 && values.length <= 12 ? values.map((value) => JSON.stringify(value)).join(" | ") : [...types].join(" | ");
  const description = schemas.find((each) => each.description !== undefined)?.description ?? "";
  return [head, description].filter(Boolean).join("\n");
}

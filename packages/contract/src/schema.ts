import Type, { type Static, type TObject, type TObjectOptions, type TProperties, type TSchema } from "typebox";

/** A schema that has its own name in the API document. */
export type Named<T extends TSchema = TSchema> = T & { readonly $id: string };

/**
 * Creates a named schema, which becomes `#/components/schemas/<id>` of the API document. No other helper does this. Refer to it with
 * `ref(schema)`; never nest the object itself (a schema with an `$id` may occur only once). The type of its values is `Static<typeof
 * schema>`. An interface that extends it keeps its name in compiler messages.
 */
export function named<T extends TSchema>(id: string, schema: T): Named<T> {
  const made = { ...schema, $id: id };
  registry.set(id, made);
  return made;
}

const registry = new Map<string, TSchema>();

/** All named schemas created so far, by id. Complete once the list of endpoints has been imported. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  return registry;
}

/** A reference to a named schema, with the type of that schema. */
export function ref<T extends TSchema>(schema: Named<T>) {
  return Type.Unsafe<Static<T>>(Type.Ref(schema.$id));
}

/** A reference of a schema to itself. Its type must be written manually: it can't be derived from a type that does not exist yet. */
export function refToItself<T>(id: string) {
  return Type.Unsafe<T>(Type.Ref(id));
}

/** An object that may have unknown members, which are stored and returned. */
export function openObject<M extends TProperties>(members: M, options: TObjectOptions = {}) {
  const schema = Type.Object(members, { additionalProperties: true, ...options });
  return Type.Unsafe<Static<TObject<M>> & { [member: string]: unknown }>(schema);
}

/** A document in a response, if the same schema is used for requests: nothing is null, and these members are always present. */
export type AsRead<T, Always extends keyof T> = { [M in keyof T]: Exclude<T[M], null> } & { [M in Always]-?: NonNullable<T[M]> };

/** The schema, or null. It avoids `anyOf` where possible, since the errors of that are hard to read. */
export function nullable<T extends TSchema>(schema: T, options: Record<string, unknown> = {}) {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] };
  if (type === undefined) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }], ...options });
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, "null"].flat(), ...(values && { enum: [...values, null] }), ...options });
}

/** A member that may be absent or null; both mean the same. */
export function orNull<T extends TSchema>(schema: T, options: Record<string, unknown> = {}) {
  return Type.Optional(nullable(schema, options));
}

/** Members with known names and any content: members of another interface, which are stored as written. */
export function anything<const N extends string>(...names: readonly N[]) {
  return each(names, Type.Optional(Type.Unknown()));
}

/** The same schema for each of the names. */
export function each<const N extends string, T extends TSchema>(names: readonly N[], schema: T) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<N, T>;
}

/** A string enum that the API document shows as `enum`, not as `anyOf` of single values. */
export function stringEnum<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

/**
 * How many labels an object may have, and how long (in characters) keys and values may be. A key consists of a prefix of at most 253
 * characters, `/` and a name of at most 63.
 */
export const labelLimits = { count: 64, keyLength: 317, valueLength: 1000 } as const;

/** Labels in a request. They are merged with the stored ones, and the result must keep the limits, too: `labelFaults` of the server. */
export function labelMap(options: Record<string, unknown> = {}) {
  return Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: labelLimits.count,
    propertyNames: { type: "string", minLength: 1, maxLength: labelLimits.keyLength },
    additionalProperties: { type: "string", maxLength: labelLimits.valueLength },
    ...options,
  });
}

/** Labels in a write that is merged with the stored ones: null removes one. */
export function labelChanges(options: Record<string, unknown> = {}) {
  return Type.Unsafe<Record<string, string | null>>({
    ...labelMap({ description: "Merged into the existing ones; null removes one", ...options }),
    additionalProperties: { type: ["string", "null"], maxLength: labelLimits.valueLength },
  });
}

/** Annotations in such a write. */
export const annotationChanges = Type.Record(Type.String(), Type.Unknown(), {
  description: "Merged into the existing ones; null removes one",
});

/** A map of string to string: labels in a response. */
export function stringMap(options: Record<string, unknown> = {}) {
  return Type.Record(Type.String(), Type.String(), options);
}

import Type, { type Static, type TObject, type TOptional, type TSchema, type TUnknown } from "typebox";

/**
 * The one helper that makes a named schema: it becomes `#/components/schemas/<id>` of the API document.
 * Refer to it with `ref("<id>")`; never nest the object itself (a schema with an `$id` may stand only once).
 */
export function named<T extends TSchema>(id: string, schema: T): T {
  const made = { ...schema, $id: id } as T;
  registry.set(id, made);
  return made;
}

const registry = new Map<string, TSchema>();

/** All named schemas made so far, by id. Complete once the endpoint list has been imported. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  return registry;
}

/** A reference to a named schema. The static type is given by hand (`ref<Task>("Task")`), since a reference carries none. */
export function ref<T = unknown>(id: string) {
  return Type.Unsafe<T>(Type.Ref(id));
}

/** The schema, or null, which means that the member is absent. Not `anyOf` where that can be helped: its errors read badly. */
export function orNull<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] };
  if (type === undefined) return Type.Optional(Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }] }));
  const nullable = { ...schema, type: [type, "null"].flat(), ...(values && { enum: [...values, null] }) };
  return Type.Optional(Type.Unsafe<Static<T> | null>(nullable));
}

/** Members that are known and may hold anything: those of another interface, which are kept as they are written. */
export function anything<const N extends string>(...names: readonly N[]) {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())])) as Record<N, TOptional<TUnknown>>;
}

/** A string enum that the API document shows as `enum`, not as `anyOf` of single values. */
export function stringEnum<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

/** How many labels a thing may have, and how long (in characters) a key and a value may be. Keys are a prefix of 253, `/` and a name of 63 at most. */
export const labelLimits = { count: 64, keyLength: 317, valueLength: 1000 } as const;

/** Labels in a request. What is stored already is merged with them and must keep the limits too: `labelFault` of the server. */
export function labelMap(options: Record<string, unknown> = {}) {
  return Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: labelLimits.count,
    propertyNames: { type: "string", minLength: 1, maxLength: labelLimits.keyLength },
    additionalProperties: { type: "string", maxLength: labelLimits.valueLength },
    ...options,
  });
}

/** Labels in a write that is laid over what is there: null removes one. */
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

/** A map of string to string: labels as they are read. */
export function stringMap(options: Record<string, unknown> = {}) {
  return Type.Record(Type.String(), Type.String(), options);
}

/** The page envelope of reference-api 1.1, shared by all query endpoints. */
export function page(id: string, item: string): TObject {
  return named(
    id,
    Type.Object({
      content: Type.Array(Type.Ref(item)),
      number: Type.Integer({ minimum: 0, description: "Index of this page, zero-based" }),
      size: Type.Integer({ description: "The requested limit" }),
      numberOfElements: Type.Integer(),
      totalElements: Type.Integer({ description: "Matching items on all pages" }),
      totalPages: Type.Integer(),
      first: Type.Boolean(),
      last: Type.Boolean(),
      empty: Type.Boolean(),
      sort: Type.Ref("PageSort"),
      pageable: Type.Ref("PageableObject"),
    }),
  );
}

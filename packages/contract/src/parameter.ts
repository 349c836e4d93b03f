import Type, { type Static, type TObject, type TSchema } from "typebox";
import { type AbstractParam, abstractParam } from "./common.ts";
import { orNull } from "./schema.ts";

type Nullable<T> = { [Member in keyof T]: T[Member] | null };

/** The name, and names that older clients use for some members. */
const writtenMembers = {
  name: orNull(Type.String({ maxLength: 250 })),
  /** Older name of `name`. */
  key: orNull(Type.String({ maxLength: 250 })),
  /** Older name of `default`. */
  defaultValue: Type.Optional(Type.Unknown()),
  /** Older name of `value` for a list. */
  values: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
  /** Older spelling of `helpertext`. */
  helperText: orNull(Type.String()),
};

/** A parameter in a request. */
export interface AbstractParamRequest extends Nullable<Omit<AbstractParam, "name">>, Static<TObject<typeof writtenMembers>> {}

const { name: _required, ...members } = abstractParam.properties;

/** The members of a parameter, where null means left out. */
const nullable = Object.fromEntries(
  Object.entries(members).map(([name, schema]: [string, TSchema]) => [name, "type" in schema ? orNull(schema) : schema]),
);

/**
 * What requests may contain; the API document shows it as AbstractParam. Its type is given explicitly, since the type of a mapped object
 * can't be inferred.
 */
export const abstractParamRequest = Type.Unsafe<AbstractParamRequest>(Type.Object({ ...nullable, ...writtenMembers }));

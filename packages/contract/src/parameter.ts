import Type, { type Static, type TObject, type TSchema } from "typebox";
import { type AbstractParam, abstractParam } from "./common.ts";
import { orNull } from "./schema.ts";

type Nullable<T> = { [Member in keyof T]: T[Member] | null };

/** The name, and the names that some members had in older clients. */
const writtenMembers = {
  name: orNull(Type.String({ maxLength: 250 })),
  /** Older name of `name`. */
  key: orNull(Type.String({ maxLength: 250 })),
  /** Older name of `default`. */
  defaultValue: Type.Optional(Type.Unknown()),
  /** Older name of `value` where it is a list. */
  values: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
  /** Older spelling of `helpertext`. */
  helperText: orNull(Type.String()),
};

/** A parameter as it is written. */
export interface AbstractParamRequest extends Nullable<Omit<AbstractParam, "name">>, Static<TObject<typeof writtenMembers>> {}

const { name: _required, ...members } = abstractParam.properties;

/** As in a parameter, and null for what is left out. */
const nullable = Object.fromEntries(
  Object.entries(members).map(([name, schema]: [string, TSchema]) => [name, "type" in schema ? orNull(schema) : schema]),
);

/** What is taken; what the API document tells of it is AbstractParam. Its type is said, since that of a loop is not known. */
export const abstractParamRequest = Type.Unsafe<AbstractParamRequest>(Type.Object({ ...nullable, ...writtenMembers }));

import Type, { type TSchema } from "typebox";
import { type AbstractParam, abstractParam } from "./common.ts";
import { orNull } from "./schema.ts";

type Nullable<T> = { [Member in keyof T]: T[Member] | null };

/** A parameter as it is written, with the names that some of its members had in older clients. */
export interface AbstractParamRequest extends Nullable<Omit<AbstractParam, "name">> {
  name?: string | null;
  /** Older name of `name`. */
  key?: string | null;
  /** Older name of `default`. */
  defaultValue?: unknown;
  /** Older name of `value` where it is a list. */
  values?: string[] | null;
  /** Older spelling of `helpertext`. */
  helperText?: string | null;
}

const { name: _required, ...members } = abstractParam.properties;

/** As in a parameter, and null for what is left out. */
const nullable = Object.fromEntries(
  Object.entries(members).map(([name, schema]: [string, TSchema]) => [name, "type" in schema ? orNull(schema) : schema]),
);

/** What is taken; what the API document tells of it is AbstractParam. */
export const abstractParamRequest = Type.Unsafe<AbstractParamRequest>(
  Type.Object({
    name: orNull(Type.String({ maxLength: 250 })),
    ...nullable,
    key: orNull(Type.String({ maxLength: 250 })),
    defaultValue: Type.Optional(Type.Unknown()),
    values: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
    helperText: orNull(Type.String()),
  }),
);

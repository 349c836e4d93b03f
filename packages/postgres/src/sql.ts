import { compileStatement } from "./compile-statement.ts";
import { Identifier, Parameter } from "./parameter.ts";
import { type NewQuery, Query, type SentQuery } from "./query.ts";
import { arrayOf, types } from "./types.ts";
import { typeOf } from "./value-text.ts";

export type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** What a template may contain: a value, a list for one parameter, an identifier, a part of a statement or several. */
export type SqlValue = Scalar | readonly SqlValue[] | Parameter | Identifier | Query<unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a column has the type that the statement gives it
export type Row = Record<string, any>;

interface Counted {
  /** Number of rows that were read, inserted, changed or deleted, even if none are returned. */
  readonly count: number;
}

/** Creates statements from templates, whose values are sent as parameters. */
export interface Sql {
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly SqlValue[]): Query<T & Counted>;
  /** A quoted name of a table or column, for a template. */
  (name: string): Identifier;
  /** A literal text. Without values it may contain several statements; then it returns the rows of each. */
  unsafe<T extends readonly object[] = Row[]>(text: string, values?: readonly SqlValue[]): Query<T & Counted>;
  /** A list as one parameter. @param element type of an element (pg_type.oid), if the first one does not show it */
  array(values: readonly unknown[], element?: number): Parameter;
  /** A value as JSON. */
  json(value: unknown): Parameter;
}

/** Where each template was first used to create a statement: computed once, since it takes time. */
const origins = new WeakMap<readonly string[], Error>();

/**
 * @param send passes a statement to a connection, now or later, or rejects it
 * @param watch is called for each statement that is awaited, even one that can't be sent
 */
export function makeSql(send: (query: SentQuery) => void, watch: (query: SentQuery) => void = () => undefined): Sql {
  const submit = (query: NewQuery) => {
    watch(query);
    try {
      query.compiled = compileStatement(query.strings, query.args);
    } catch (error) {
      return query.reject(error);
    }
    send(query);
  };
  const sql = (first: TemplateStringsArray | string, ...args: readonly SqlValue[]) => {
    if (typeof first === "string") return new Identifier(first);
    const query = new Query<unknown>(first, args, submit);
    query.origin = origins.get(first) ?? noteOrigin(first, sql);
    return query;
  };
  const unsafe = (text: string, values: readonly unknown[] = []) => {
    const sendText = (query: NewQuery) => {
      watch(query);
      query.compiled = {
        text,
        values: values.map((value) => (value instanceof Parameter ? value.value : value)),
        types: values.map(typeOf),
      };
      send(query);
    };
    return new Query<unknown>([text], [], sendText, { isSimple: values.length === 0, isUnprepared: true });
  };
  const array = (values: readonly unknown[], element?: number) =>
    new Parameter(values, element === undefined ? typeOf(values) : arrayOf(element));
  return Object.assign(sql, { unsafe, array, json: (value: unknown) => new Parameter(value, types.jsonb) }) as unknown as Sql;
}

function noteOrigin(strings: readonly string[], below: (...args: never[]) => unknown): Error {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 4;
  const origin: { stack?: string } = {};
  Error.captureStackTrace(origin, below);
  Error.stackTraceLimit = before;
  origins.set(strings, origin as Error);
  return origin as Error;
}

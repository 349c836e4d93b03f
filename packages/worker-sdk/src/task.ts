/**
 * A task is a function of its parameters. A plain function receives all parameters that the workflow passes. A function with declared
 * parameters receives only those, with types derived from the declaration, and its task document can be printed.
 */

/** What a task function gets in addition to its parameters. */
export interface TaskContext {
  /** Name of the task. */
  task: string;
  /** Name of the task run in its workflow. */
  name: string;
  /** ID of the task run. */
  id: string;
  runId: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** How many attempts right before this one were lost with their worker: their work may already be done. */
  losses: number;
  /** When the attempt times out. */
  deadline: Date | undefined;
  /** Parent for your own spans (W3C Trace Context); undefined if there is no trace. */
  traceparent: string | undefined;
  /** Aborted when the attempt must stop: its run was cancelled, it timed out, it was moved to another worker, or this worker shuts down. */
  signal: AbortSignal;
  /** Writes to the log of the task run. Await it in a loop that writes a lot: it resolves when there is room. */
  log(text: string): Promise<void>;
}

export interface ParamTypes {
  string: string;
  number: number;
  boolean: boolean;
  array: unknown[];
  object: Record<string, unknown>;
  /** A secret: a string that is masked wherever it would be shown. */
  secret: string;
}

export type ParamType = keyof ParamTypes;

export interface ParamDefinition {
  type: ParamType;
  description?: string;
  /** Absent: the parameter is required, unless it is optional. */
  default?: unknown;
  optional?: boolean;
}

export type ParamDefinitions = Readonly<Record<string, ParamType | ParamDefinition>>;

type TypeOf<P extends ParamType | ParamDefinition> = P extends ParamDefinition
  ? ParamTypes[P["type"]] | (P["optional"] extends true ? undefined : never)
  : P extends ParamType
    ? ParamTypes[P]
    : never;

export type ParamsOf<P extends ParamDefinitions> = { [Name in keyof P]: TypeOf<P[Name]> };

// biome-ignore lint/suspicious/noExplicitAny: a plain function says itself what it takes
export type TaskFunction<Params = any> = (params: Params, context: TaskContext) => unknown;

export interface TaskDefinition {
  description?: string | undefined;
  params: ParamDefinitions;
  /** Names of the results that it returns. */
  results: readonly string[];
  run: TaskFunction;
}

export type Task = TaskFunction | TaskDefinition;

/** A task that declares its parameters and results. */
export function task<const P extends ParamDefinitions>(definition: {
  description?: string;
  params: P;
  results?: readonly string[];
  run: TaskFunction<ParamsOf<P>>;
}): TaskDefinition {
  return { results: [], ...definition };
}

/** The attempt fails, and is not retried, whatever the retry policy says: it would fail in the same way. */
export class TerminalError extends Error {
  override name = "TerminalError";
}

/** This machine can't run the attempt now. Another attempt follows without using up a retry, at most five times in a row. */
export class MachineFault extends Error {
  override name = "MachineFault";
}

/** The parameters for the function. @throws TerminalError that names the problem */
export function checkParams(definition: TaskDefinition, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const checked = Object.entries(definition.params).map(([name, param]) => {
    const { type, optional, default: preset }: ParamDefinition = typeof param === "string" ? { type: param } : param;
    const value = given[name] ?? preset;
    if (value === undefined || value === null) {
      if (optional) return [name, undefined];
      throw new TerminalError(`parameter ${name} is missing; it must be ${articles[type]}`);
    }
    if (!isOfType[type](value)) throw new TerminalError(`parameter ${name} is ${describe(value)}; it must be ${articles[type]}`);
    return [name, value];
  });
  return Object.fromEntries(checked);
}

const isOfType: Record<ParamType, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  secret: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const articles: Record<ParamType, string> = {
  string: "a string",
  secret: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Cut if it is long: it may contain a secret, and the service only masks the secrets that it knows. */
function describe(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

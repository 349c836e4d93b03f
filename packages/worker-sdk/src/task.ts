/**
 * A task is a function of its parameters. A plain function takes whatever the workflow gives it. One that says what its parameters are
 * gets nothing else, its types follow from that, and its task document can be printed.
 */

/** What a task function knows beside its parameters. */
export interface TaskContext {
  /** Name of the task. */
  task: string;
  /** Of the task run in its workflow. */
  name: string;
  /** ID of the task run. */
  id: string;
  runId: string;
  /** From 1. */
  attempt: number;
  /** Attempts right before this one that were lost with their worker: what they did may have been done. */
  losses: number;
  /** When the attempt times out. */
  deadline: Date | undefined;
  /** Parent for your own spans (W3C Trace Context); undefined if there is no trace. */
  traceparent: string | undefined;
  /** Aborted when the attempt is to stop: its run was cancelled, it timed out, it went to another worker, or this worker ends. */
  signal: AbortSignal;
  /** Adds to the log of the task run. Await it in a loop that writes much: it resolves when there is room. */
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
  /** Left out: the parameter is required, unless it is optional. */
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

/** A task that says what its parameters and results are. */
export function task<const P extends ParamDefinitions>(definition: {
  description?: string;
  params: P;
  results?: readonly string[];
  run: TaskFunction<ParamsOf<P>>;
}): TaskDefinition {
  return { results: [], ...definition };
}

/** The attempt fails, and no other follows whatever the retry policy says: it would fail in the same way. */
export class TerminalError extends Error {
  override name = "TerminalError";
}

/** This machine can't run the attempt now. Another attempt follows without using up a retry, at most five times in a row. */
export class MachineFault extends Error {
  override name = "MachineFault";
}

/** The parameters as the function gets them. @throws TerminalError that names what is wrong */
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

/** Without its text where that is long: it may be a secret, too, but the service masks what it knows as one. */
function describe(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

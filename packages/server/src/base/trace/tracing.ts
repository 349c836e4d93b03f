import type { TraceContext } from "./trace-context.ts";

/** An operation, to be sent to the collector of traces. */
export interface SpanRecord {
  /** Of the span itself. */
  context: TraceContext;
  /** Absent: it is the first of its trace. */
  parent?: TraceContext | undefined;
  name: string;
  kind: "server" | "client" | "internal";
  /** Epoch milliseconds. */
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; absent: it did not. */
  error?: string | undefined;
}

/** The destination of spans, while the process runs. */
export interface Tracing {
  /** Costs the caller next to nothing: spans are sent in the background, and dropped while the collector refuses them. */
  record(span: SpanRecord): void;
  /** Whether a trace that begins here is recorded: the same result in each process. */
  isSampled(traceId: string): boolean;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

import { shortHash } from "../../base/text/short-hash.ts";
import { readTraceparent, type TraceContext, writeTraceparent } from "../../base/trace/trace-context.ts";

/**
 * A run as a trace. Its ids follow from those of the run, so each process knows them without asking, also after a restart: the trace is that
 * of the caller who sent one (`traceparent`), otherwise it has the run's own id.
 */
export interface RunTrace {
  traceId: string;
  /** Who asked for the run; undefined: nobody sent a trace. */
  caller: TraceContext | undefined;
  isSampled: boolean;
}

/** Of a CloudEvent, whose attribute says more than the request that brings it: the extension for distributed tracing. */
export function traceparentOfEvent(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null || !("specversion" in event) || !("traceparent" in event)) return undefined;
  return readTraceparent(event.traceparent) && (event.traceparent as string);
}

/** What is needed of a run. */
export interface TracedRun {
  id: string;
  /** As the caller sent it, and valid; null: none. */
  traceparent: string | null;
}

/** @param isSampled for a trace that begins with the run */
export function traceOfRun({ id, traceparent }: TracedRun, isSampled: (traceId: string) => boolean): RunTrace {
  const caller = readTraceparent(traceparent);
  if (caller !== undefined) return { traceId: caller.traceId, caller, isSampled: caller.isSampled };
  const traceId = id.replaceAll("-", "");
  return { traceId, caller: undefined, isSampled: isSampled(traceId) };
}

/** The time of a UUID of version 7, in epoch milliseconds: when the row was made, by the clock of the database. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The span of what has that id: a run, a task run, or something of one, such as its second attempt. */
export function spanOf({ traceId, isSampled }: RunTrace, id: string, part = ""): TraceContext {
  return { traceId, spanId: shortHash([id, part]).slice(0, 16), isSampled };
}

export function attemptSpan(trace: RunTrace, taskRunId: string, attempt: number): TraceContext {
  return spanOf(trace, taskRunId, `attempt ${attempt}`);
}

/** Whether runs are recorded, and which. */
interface TraceSettings {
  tracing?: { isSampled(traceId: string): boolean } | undefined;
}

/** What a step and whatever it calls is to name as its parent; undefined: there is no trace. */
export function attemptTraceparent({ tracing }: TraceSettings, run: TracedRun, taskRunId: string, attempt: number): string | undefined {
  // Without a collector of ours the caller's own span is the next one above.
  if (!tracing) return run.traceparent ?? undefined;
  return writeTraceparent(attemptSpan(traceOfRun(run, tracing.isSampled), taskRunId, attempt));
}

/** The same for a child run that this task run starts. */
export function taskTraceparent({ tracing }: TraceSettings, run: TracedRun, taskRunId: string): string | undefined {
  if (!tracing) return run.traceparent ?? undefined;
  return writeTraceparent(spanOf(traceOfRun(run, tracing.isSampled), taskRunId));
}

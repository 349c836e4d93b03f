import { shortHash } from "../../base/text/short-hash.ts";
import { readTraceparent, type TraceContext, writeTraceparent } from "../../base/trace/trace-context.ts";

/**
 * A run as a trace. Its ids are derived from those of the run, so each process can compute them, also after a restart: the trace is that of
 * the caller if one was sent (`traceparent`), otherwise its id is the run's own.
 */
export interface RunTrace {
  traceId: string;
  /** The trace context of the run's caller; undefined: none was sent. */
  caller: TraceContext | undefined;
  isSampled: boolean;
}

/**
 * From a CloudEvent: its attribute (the extension for distributed tracing), which is more precise than the header of the request that
 * delivers it.
 */
export function traceparentOfEvent(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null || !("specversion" in event) || !("traceparent" in event)) return undefined;
  return readTraceparent(event.traceparent) && (event.traceparent as string);
}

/** The members of a run that are needed. */
export interface TracedRun {
  id: string;
  /** As the caller sent it, and valid; null: none was sent. */
  traceparent: string | null;
}

/** @param isSampled for a trace that starts with the run */
export function traceOfRun({ id, traceparent }: TracedRun, isSampled: (traceId: string) => boolean): RunTrace {
  const caller = readTraceparent(traceparent);
  if (caller !== undefined) return { traceId: caller.traceId, caller, isSampled: caller.isSampled };
  const traceId = id.replaceAll("-", "");
  return { traceId, caller: undefined, isSampled: isSampled(traceId) };
}

/** The span for this id: a run, a task run, or a part of one, such as its second attempt. */
export function spanOf({ traceId, isSampled }: RunTrace, id: string, part = ""): TraceContext {
  return { traceId, spanId: shortHash([id, part]).slice(0, 16), isSampled };
}

export function attemptSpan(trace: RunTrace, taskRunId: string, attempt: number): TraceContext {
  return spanOf(trace, taskRunId, `attempt ${attempt}`);
}

/** Whether traces of runs are recorded, and of which. */
interface TraceSettings {
  tracing?: { isSampled(traceId: string): boolean } | undefined;
}

/** The parent that a step and everything it calls must name; undefined: there is no trace. */
export function attemptTraceparent({ tracing }: TraceSettings, run: TracedRun, taskRunId: string, attempt: number): string | undefined {
  // Without a collector of our own, the closest recorded span is the caller's.
  if (!tracing) return run.traceparent ?? undefined;
  return writeTraceparent(attemptSpan(traceOfRun(run, tracing.isSampled), taskRunId, attempt));
}

/** The same for a child run that this task run starts. */
export function taskTraceparent({ tracing }: TraceSettings, run: TracedRun, taskRunId: string): string | undefined {
  if (!tracing) return run.traceparent ?? undefined;
  return writeTraceparent(spanOf(traceOfRun(run, tracing.isSampled), taskRunId));
}

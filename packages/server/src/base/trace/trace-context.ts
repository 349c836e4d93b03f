import { randomBytes } from "node:crypto";

/** A position in a trace, as W3C Trace Context passes it in the header `traceparent`. Ids are lower-case hexadecimal digits. */
export interface TraceContext {
  /** 32 digits. */
  traceId: string;
  /** 16 digits. */
  spanId: string;
  /** Whether the originator of the trace wants it recorded. */
  isSampled: boolean;
}

/** The first span of a new trace. @param tracing says whether it is recorded */
export function newTrace({ isSampled }: { isSampled(traceId: string): boolean }): TraceContext {
  const traceId = randomBytes(16).toString("hex");
  return { traceId, spanId: randomBytes(8).toString("hex"), isSampled: isSampled(traceId) };
}

/**
 * It is passed on unchanged, as a header and to programs, so it must contain nothing else: an event can have any text there.
 * @returns undefined for anything but a valid `traceparent` of version 00, or of a later one with the same beginning
 */
export function readTraceparent(value: unknown): TraceContext | undefined {
  if (typeof value !== "string" || value.length > 200) return undefined;
  const [, version, traceId = "", spanId = "", flags = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[!-~]*)?$/.exec(value) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && value.length !== 55)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { newTrace, readTraceparent, type TraceContext, writeTraceparent } from "../../base/trace/trace-context.ts";
import type { Tracing } from "../../base/trace/tracing.ts";

/** A request as a part of a trace. */
export interface RequestSpan {
  context: TraceContext;
  /** Of the caller; undefined: the trace begins here. */
  parent: TraceContext | undefined;
  startMs: number;
}

/** Requests to the API; what watches the service or loads the interface is no work to be traced. */
export function beginSpan(tracing: Tracing | undefined, request: FastifyRequest): RequestSpan | undefined {
  if (!tracing || !request.url.startsWith("/api/")) return undefined;
  const parent = readTraceparent(request.headers.traceparent);
  return { context: { ...newTrace(tracing), ...(parent && within(parent)) }, parent, startMs: Date.now() };
}

function within({ traceId, isSampled }: TraceContext): Omit<TraceContext, "spanId"> {
  return { traceId, isSampled };
}

/** Of the URL only the route's pattern: paths and query strings may hold secrets. */
export function endSpan(tracing: Tracing | undefined, request: FastifyRequest, reply: FastifyReply): void {
  const { span, refusal } = request;
  if (!tracing || !span?.context.isSampled) return;
  const route = request.routeOptions.url ?? "none";
  tracing.record({
    ...{ context: span.context, parent: span.parent, kind: "server", startMs: span.startMs, endMs: span.startMs + reply.elapsedTime },
    name: `${request.method} ${route}`,
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "http.response.status_code": reply.statusCode,
      "millrace.request.id": request.id,
    },
    ...(reply.statusCode >= 500 && { error: refusal?.reason ?? String(reply.statusCode) }),
  });
}

/** What runs that the request starts have above them. A header that is no place in a trace is ignored, as W3C Trace Context says. */
export function traceparentOf({ span, headers }: FastifyRequest): string | undefined {
  if (span) return writeTraceparent(span.context);
  const { traceparent } = headers;
  return traceparent !== undefined && readTraceparent(traceparent) ? (traceparent as string) : undefined;
}

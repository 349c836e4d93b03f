import { context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { TraceContext } from "./trace-context.ts";
import type { SpanRecord, Tracing } from "./tracing.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

interface OtlpOptions {
  serviceName: string;
  version: string;
  /** Of the traces that begin here. */
  ratio: number;
  /** A caller that sends a trace also says whether it is recorded. */
  followsCallers: boolean;
  /** The collector refuses spans; called once a minute at most. */
  onProblem(problem: string): void;
}

const problemPauseMs = 60_000;
/** Time for the last spans, when the process ends. */
const closeMs = 2_000;

/**
 * Spans with ids that are known before they are created: a run is one trace across processes and restarts, because the ids follow from its
 * own. The library generates ids itself, so it gets ours at the moment in which it asks for one.
 */
export function createOtlpTracing({ serviceName, version, ratio, followsCallers, onProblem }: OtlpOptions): Tracing {
  reportProblems(onProblem);
  const given: { next: TraceContext | undefined } = { next: undefined };
  const provider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => idsOf(given.next).traceId, generateSpanId: () => idsOf(given.next).spanId },
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": serviceName, "service.version": version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer("millrace", version);
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const isSampled = (traceId: string) => sampler.shouldSample(context.active(), traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  return {
    isSampled,
    record({ context: own, parent, name, kind, startMs, endMs, attributes, error }: SpanRecord): void {
      if (!(followsCallers ? own.isSampled : isSampled(own.traceId))) return;
      given.next = own;
      const span = tracer.startSpan(name, { kind: kinds[kind], startTime: startMs, attributes }, parent ? within(parent) : ROOT_CONTEXT);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(Math.max(startMs, endMs));
    },
    close: () =>
      Promise.race([provider.shutdown().catch(() => {}), new Promise<void>((resolve) => void setTimeout(resolve, closeMs).unref())]),
  };
}

/** Without a log, the library reports no errors. */
function reportProblems(onProblem: (problem: string) => void): void {
  let quietUntil = 0;
  const report = (message: string, ...more: unknown[]) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + problemPauseMs;
    onProblem([message, ...more.map(String)].join(" "));
  };
  const nothing = () => {};
  diag.setLogger({ error: report, warn: report, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN);
}

function idsOf(given: TraceContext | undefined): TraceContext {
  if (given === undefined) throw new Error("a span was made without its ids");
  return given;
}

function within({ traceId, spanId }: TraceContext) {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

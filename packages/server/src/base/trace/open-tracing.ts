import { StartError } from "../error/start-error.ts";
import { productVersion } from "../file/repository-root.ts";
import type { Tracing } from "./tracing.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Traces are off unless the standard variables of OpenTelemetry name a collector: OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT. The library reads these and the other variables of the exporter and of the resource itself; it is
 * loaded only then.
 *
 * @param onProblem called when the collector refuses spans, once a minute at most
 * @throws StartError for variables that ask for features which this program does not have
 */
export async function openTracing(env: Environment, onProblem: (problem: string) => void = () => {}): Promise<Tracing | undefined> {
  const isWanted = hasText(env.OTEL_EXPORTER_OTLP_ENDPOINT) || hasText(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  if (!isWanted || env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  checkProtocol(env);
  const sampling = readSampling(env);
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing({ serviceName: env.OTEL_SERVICE_NAME || "millrace", version: productVersion, onProblem, ...sampling });
}

function hasText(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}

function checkProtocol({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ofTraces, OTEL_EXPORTER_OTLP_PROTOCOL: ofAll }: Environment): void {
  const name = hasText(ofTraces) ? "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL" : "OTEL_EXPORTER_OTLP_PROTOCOL";
  const protocol = hasText(ofTraces) ? ofTraces : ofAll;
  if (hasText(protocol) && protocol !== "http/protobuf") {
    throw new StartError(`${name} must be http/protobuf, not ${protocol}: use the collector's port for OTLP over HTTP (usually 4318)`);
  }
}

/** The relevant part of the standard samplers: the fraction of the traces that begin here, and whether callers decide about theirs. */
interface Sampling {
  ratio: number;
  followsCallers: boolean;
}

const samplers = ["always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"];

function readSampling({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Environment): Sampling {
  const name = hasText(OTEL_TRACES_SAMPLER) ? (OTEL_TRACES_SAMPLER as string) : "parentbased_always_on";
  if (!samplers.includes(name)) throw new StartError(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(", ")}, not ${name}`);
  const followsCallers = name.startsWith("parentbased_");
  if (name.endsWith("always_on")) return { ratio: 1, followsCallers };
  if (name.endsWith("always_off")) return { ratio: 0, followsCallers };
  const ratio = hasText(OTEL_TRACES_SAMPLER_ARG) ? Number(OTEL_TRACES_SAMPLER_ARG) : 1;
  if (!(ratio >= 0 && ratio <= 1))
    throw new StartError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${OTEL_TRACES_SAMPLER_ARG}`);
  return { ratio, followsCallers };
}

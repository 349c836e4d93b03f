import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { isOurMethod } from "../input/refuse-methods.ts";

/**
 * What /metrics tells, in the text format of Prometheus (0.0.4): the process, and the requests by route. Routes are patterns,
 * and methods that we do not have are one, so the number of series is bounded by the number of endpoints.
 */
export interface Metrics {
  count(request: FastifyRequest, reply: FastifyReply): void;
  /** Of what no route has seen. */
  countUnrouted(method: string, status: number): void;
  endpoint: Endpoint;
}

interface Series {
  count: number;
  seconds: number;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, Series>();
  const add = (method: string, route: string, status: number, seconds: number) => {
    const labels = `method="${isOurMethod(method) ? method : "OTHER"}",route="${route}",status="${status}"`;
    const series = requests.get(labels) ?? { count: 0, seconds: 0 };
    series.count++;
    series.seconds += seconds;
    requests.set(labels, series);
  };
  return {
    count: (request, reply) => add(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000),
    countUnrouted: (method, status) => add(method, "none", status, 0),
    endpoint: {
      method: "GET",
      operationId: "getMetrics",
      path: "/metrics",
      summary: "Read the metrics of this process",
      description: "Text format of Prometheus.",
      tag: "Operation",
      permission: "system/read",
      transaction: "none",
      produces: ["text/plain"],
      response: { type: "string" },
      handle: async ({ services }): Promise<Reply> => {
        const body = [...processLines(), ...requestLines(requests), ...(services.metricLines?.() ?? [])].join("\n");
        return { reply: true, headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" }, body: `${body}\n` };
      },
    },
  };
}

function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  return [
    ...metric("process_cpu_seconds_total", "counter", [["", (user + system) / 1e6]]),
    ...metric("process_resident_memory_bytes", "gauge", [["", process.memoryUsage.rss()]]),
    ...metric("process_start_time_seconds", "gauge", [["", Math.round(Date.now() / 1000 - process.uptime())]]),
  ];
}

function requestLines(requests: ReadonlyMap<string, Series>): string[] {
  const counts = [...requests].map(([labels, { count }]) => [labels, count] as const);
  const sums = [...requests].map(([labels, { seconds }]) => [labels, seconds] as const);
  return [...metric("millrace_http_requests_total", "counter", counts), ...metric("millrace_http_request_seconds_total", "counter", sums)];
}

function metric(name: string, type: "counter" | "gauge", values: readonly (readonly [labels: string, value: number])[]): string[] {
  return [`# TYPE ${name} ${type}`, ...values.map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`)];
}

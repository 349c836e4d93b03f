import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { isOurMethod } from "../input/refuse-methods.ts";
import { createMetricRegistry, type MetricRegistry, type RequestSeries } from "./metric-registry.ts";

/**
 * What /metrics tells, in the text format of Prometheus (0.0.4): the process, its caches, and the requests by route. Routes are patterns,
 * and methods that we do not have are one, so the number of series is bounded by the number of endpoints. A request only adds to two
 * numbers; the library that makes the text of them is loaded when someone asks.
 */
export interface Metrics {
  count(request: FastifyRequest, reply: FastifyReply): void;
  /** Of what no route has seen. */
  countUnrouted(method: string, status: number): void;
  endpoint: Endpoint;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, RequestSeries>();
  let registry: Promise<MetricRegistry> | undefined;
  const add = (method: string, route: string, status: number, seconds: number) => {
    const labels = { method: isOurMethod(method) ? method : "OTHER", route, status };
    const key = `${labels.method} ${status} ${route}`;
    const series = requests.get(key) ?? { labels, count: 0, seconds: 0 };
    series.count++;
    series.seconds += seconds;
    requests.set(key, series);
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
      async handle(): Promise<Reply> {
        registry ??= createMetricRegistry(requests);
        const { contentType, read } = await registry;
        return { reply: true, headers: { "content-type": contentType }, body: await read() };
      },
    },
  };
}

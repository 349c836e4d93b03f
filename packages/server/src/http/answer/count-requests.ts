import type { FastifyReply, FastifyRequest } from "fastify";
import { requestSeconds } from "../../base/metrics/metrics.ts";
import { isOurMethod } from "../input/refuse-methods.ts";

/** Routes are patterns, and methods that we do not have are one, so the number of series is bounded by the number of endpoints. */
export function countRequest(request: FastifyRequest, reply: FastifyReply): void {
  observe(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
}

/** Of what no route has seen. */
export function countWithoutRoute(method: string, status: number): void {
  observe(method, "none", status, 0);
}

function observe(method: string, route: string, status: number, seconds: number): void {
  requestSeconds.observe({ method: isOurMethod(method) ? method : "OTHER", route, status }, seconds);
}

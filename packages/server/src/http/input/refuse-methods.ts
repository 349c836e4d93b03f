import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hasWriteTransaction } from "../admit/check-origin.ts";

/** Those that paths have. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * A path that exists answers the methods it does not have with 405 and `Allow`, and OPTIONS with `Allow`. So a literal path
 * (`/team/query`) is never taken for a name (`/team/:team`) because of its method.
 *
 * Methods that no path has (QUERY, PROPFIND, …) get no routes, which would be some thousands. What is returned says for the path of
 * such a request which methods are allowed there; undefined where there is nothing.
 */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): (path: string) => string | undefined {
  const byShape = new Map<string, { url: string; methods: Set<string> }>();
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    const shape = path.replace(/:\w+/g, ":");
    const known = byShape.get(shape) ?? { url: path, methods: new Set() };
    byShape.set(shape, known);
    known.methods.add(method);
    if (answersHead(endpoint)) known.methods.add("HEAD");
  }
  for (const { url, methods: present } of byShape.values()) refuseAllBut(app, url, allowOf(present), present);
  const patterns = [...byShape].map(([shape, { methods: present }]) => ({ pattern: patternOf(shape), allow: allowOf(present) }));
  // A literal path goes before one with a name in that place.
  patterns.sort((a, b) => a.pattern.source.split("[^/]").length - b.pattern.source.split("[^/]").length);
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.allow;
}

function patternOf(shape: string): RegExp {
  const segments = shape.split("/").map((segment) => (segment === ":" ? "[^/]+" : segment.replace(/[^\w-]/g, "\\$&")));
  return new RegExp(`^${segments.join("/")}/?$`);
}

function allowOf(present: ReadonlySet<string>): string {
  return [...methods.filter((method) => present.has(method)), ...(present.has("HEAD") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/**
 * A HEAD request promises to change nothing: a GET that writes (a callback), or that takes a one-time code, has none.
 */
export function answersHead(endpoint: Endpoint): boolean {
  return endpoint.method === "GET" && !hasWriteTransaction(endpoint) && endpoint.redirects !== true;
}

function refuseAllBut(app: FastifyInstance, url: string, allow: string, present: ReadonlySet<string>): void {
  app.route({
    method: "OPTIONS",
    url,
    handler: async (_request, reply) => reply.status(204).header("allow", allow).send(),
  });
  app.route({
    method: [...methods.filter((method) => !present.has(method)), ...(present.has("GET") && !present.has("HEAD") ? ["HEAD"] : [])],
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      reply.header("allow", allow);
      throw new AppError("METHOD_NOT_ALLOWED", [request.method, allow]);
    },
    handler: () => {},
  });
}

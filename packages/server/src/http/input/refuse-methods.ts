import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hasWriteTransaction } from "../admit/admit.ts";

/** The methods that paths have. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

interface Shape {
  url: string;
  segments: string[];
  methods: Set<string>;
}

/**
 * A path that exists answers the methods it does not have with 405 and `Allow`, and OPTIONS with `Allow`. Those methods have no routes, which
 * would be three times as many as the endpoints have. One has a route where another path would take it: so a literal path (`/team/query`) is
 * never taken for a name (`/team/:team`) because of its method.
 */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const shapes = shapesOf(endpoints);
  for (const shape of shapes) refuseTaken(app, shape, shapes);
  const patterns = shapes.map((shape) => ({ pattern: patternOf(shape), shape }));
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const path = decodeURI(request.url.split("?", 1)[0]!);
    const present = patterns.find(({ pattern }) => pattern.test(path))?.shape.methods;
    // A name that is too long has no route either.
    if (present === undefined || present.has(request.method)) return done();
    if (request.method === "OPTIONS") return void reply.status(204).header("allow", allowOf(present)).send();
    done(refusal(request, reply, present));
  });
}

function shapesOf(endpoints: readonly Endpoint[]): Shape[] {
  const byPattern = new Map<string, Shape>();
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    const shape = path.replace(/:\w+/g, ":");
    const known = byPattern.get(shape) ?? { url: path, segments: shape.split("/"), methods: new Set() };
    byPattern.set(shape, known);
    known.methods.add(method);
    if (answersHead(endpoint)) known.methods.add("HEAD");
  }
  const nameCount = ({ segments }: Shape) => segments.filter((segment) => segment === ":").length;
  // A literal path goes before one with a name in that place.
  return [...byPattern.values()].sort((a, b) => nameCount(a) - nameCount(b));
}

function patternOf({ segments }: Shape): RegExp {
  const parts = segments.map((segment) => (segment === ":" ? "[^/]+" : segment.replace(/[^\w-]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}/?$`);
}

function allowOf(present: ReadonlySet<string>): string {
  return [...methods.filter((method) => present.has(method)), ...(present.has("HEAD") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function refusal(request: FastifyRequest, reply: FastifyReply, present: ReadonlySet<string>): AppError {
  const allow = allowOf(present);
  reply.header("allow", allow);
  return new AppError("METHOD_NOT_ALLOWED", [request.method, allow]);
}

/**
 * A HEAD request promises to change nothing: a GET that writes (a callback), or that takes a one-time code, has none.
 */
export function answersHead(endpoint: Endpoint): boolean {
  return endpoint.method === "GET" && !hasWriteTransaction(endpoint) && endpoint.redirects !== true;
}

function refuseTaken(app: FastifyInstance, { url, segments, methods: present }: Shape, shapes: readonly Shape[]): void {
  const others = shapes.filter((other) => areAlike(segments, other.segments)).flatMap((other) => [...other.methods]);
  const taken = [...new Set(others)].filter((method) => !present.has(method));
  if (taken.length === 0) return;
  app.route({
    method: taken,
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      throw refusal(request, reply, present);
    },
    handler: () => {},
  });
}

/** Whether there are paths that are of both. */
function areAlike(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((segment, at) => segment === ":" || other[at] === ":" || segment === other[at]);
}

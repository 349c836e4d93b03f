import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../api/endpoint.ts";
import { AppError } from "../base/app-error.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const ours: ReadonlySet<string> = new Set([...methods, "HEAD", "OPTIONS"]);

/** Whether there are paths with that method. */
export function isOurMethod(method: string): boolean {
  return ours.has(method);
}

/** All others that Node knows; CONNECT never comes as a request. */
const foreignMethods = METHODS.filter((method) => !ours.has(method) && method !== "CONNECT");

/**
 * A path that exists answers the methods it does not have with 405 and `Allow`, and OPTIONS with `Allow`. So a literal path
 * (`/team/query`) is never taken for a name (`/team/:team`) because of its method.
 */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const byShape = new Map<string, { url: string; methods: Set<string> }>();
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    const shape = path.replace(/:\w+/g, ":");
    const known = byShape.get(shape) ?? { url: path, methods: new Set() };
    byShape.set(shape, known);
    known.methods.add(method);
    if (answersHead(endpoint)) known.methods.add("HEAD");
  }
  for (const { url, methods: present } of byShape.values()) refuseAllBut(app, url, present);
}

/** Who asks for the head alone expects that nothing happens: a GET that writes (a callback), or takes a code that is good once, has none. */
export function answersHead({ method, transaction, redirects }: Endpoint): boolean {
  return method === "GET" && transaction !== "write" && redirects !== true;
}

function refuseAllBut(app: FastifyInstance, url: string, present: ReadonlySet<string>): void {
  const allowed = [...methods.filter((method) => present.has(method)), ...(present.has("HEAD") ? ["HEAD"] : []), "OPTIONS"];
  const allow = allowed.join(", ");
  app.route({
    method: "OPTIONS",
    url,
    handler: async (_request, reply) => reply.status(204).header("allow", allow).send(),
  });
  app.route({
    method: [
      ...methods.filter((method) => !present.has(method)),
      ...(present.has("GET") && !present.has("HEAD") ? ["HEAD"] : []),
      ...foreignMethods,
    ],
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      reply.header("allow", allow);
      throw new AppError("METHOD_NOT_ALLOWED", [request.method, allow]);
    },
    handler: () => {},
  });
}

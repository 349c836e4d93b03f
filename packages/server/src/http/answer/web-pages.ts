import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The user interface: files that never change under their name below /assets, compressed when it was built, and one page for every
 * address that is none of the API's, since the browser itself decides what an address shows. It is a client of the public API like any
 * other; nothing of the server's state is in the page.
 */
export interface WebPages {
  /** Someone opens an address in a browser, rather than a program that calls what is not there. */
  isPage(request: FastifyRequest): boolean;
  send(reply: FastifyReply): FastifyReply;
}

/** Only our own scripts, never inline ones; styles may be inline, because components place and size things by them. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentPolicy,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  // It names the current assets: a new version of the service is seen at the next visit.
  "cache-control": "no-cache",
} as const;

/** @param folder holds index.html and assets/ */
export function addWebPages(app: FastifyInstance, folder: string): WebPages {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const icon = readFileSync(join(folder, "icon.svg"), "utf8");
  app.register((scope, _options, done) => addAssets(scope, join(folder, "assets"), done));
  app.get("/icon.svg", (_request, reply) => reply.type("image/svg+xml").header("cache-control", "public, max-age=86400").send(icon));
  return {
    isPage: ({ method, url, headers }) =>
      (method === "GET" || method === "HEAD") &&
      !/^\/(api|assets)(\/|$|\?)/.test(url) &&
      (url === "/" || (headers.accept ?? "").includes("text/html")),
    send: (reply) => reply.status(200).headers(pageHeaders).send(page),
  };
}

/** What the client has asked for wrongly (an encoded way out, a zero byte) is simply not there. */
function addAssets(scope: FastifyInstance, root: string, done: () => void): void {
  scope.setErrorHandler((error: FastifyError, _request, reply) => {
    if ((error.statusCode ?? 500) >= 500) throw error;
    return reply.callNotFound();
  });
  const kept = { immutable: true, maxAge: "365d" } as const;
  // The build lays NAME.br and NAME.gz beside a file; nothing is compressed for a request.
  scope.register(fastifyStatic, { root, prefix: "/assets/", index: false, decorateReply: false, preCompressed: true, ...kept });
  done();
}

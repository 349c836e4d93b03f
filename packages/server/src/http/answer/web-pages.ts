import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The user interface: immutable files below /assets, compressed at build time, and one page for every address outside of the API, since the
 * browser decides what an address shows. The interface is a client of the public API like any other; the page contains no state of the
 * server.
 */
export interface WebPages {
  /** A person opens an address in a browser, as opposed to a program that calls a missing endpoint. */
  isPage(request: FastifyRequest): boolean;
  send(reply: FastifyReply): FastifyReply;
}

/** Only our own script files, no inline scripts. Inline styles are allowed, because components use them for positions and sizes. */
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
  // The page names the current assets, so a new version of the service is loaded at the next visit.
  "cache-control": "no-cache",
} as const;

/** @param folder contains index.html and assets/ */
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

/** A malformed path (an encoded `..`, a zero byte) counts as not found. */
function addAssets(scope: FastifyInstance, root: string, done: () => void): void {
  scope.setErrorHandler((error: FastifyError, _request, reply) => {
    if ((error.statusCode ?? 500) >= 500) throw error;
    return reply.callNotFound();
  });
  const kept = { immutable: true, maxAge: "365d" } as const;
  // The build puts NAME.br and NAME.gz beside a file; nothing is compressed per request.
  scope.register(fastifyStatic, { root, prefix: "/assets/", index: false, decorateReply: false, preCompressed: true, ...kept });
  done();
}

import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Endpoint, Services } from "../api/endpoint.ts";
import { AppError } from "../base/app-error.ts";
import { Errands } from "../base/errands.ts";
import type { Keyring } from "../base/keyring.ts";
import type { Log } from "../base/log.ts";
import type { Database } from "../store/database.ts";
import type { Caller } from "./admit.ts";
import { ConnectionDrain } from "./connection-drain.ts";
import { errorBody, errorHeaders, statusText, toAppError } from "./error-response.ts";
import { everyEndpoint } from "./every-endpoint.ts";
import { createIdentity } from "./identity.ts";
import { createLiveRates } from "./live-rates.ts";
import { createMetrics } from "./metrics.ts";
import { addNeutralHeaders } from "./neutral-headers.ts";
import { createRateLimits, isLimited, type RateLimitOptions, type RateLimits } from "./rate-limits.ts";
import { answersHead, refuseOtherMethods } from "./refuse-methods.ts";
import { logFailure, logRequest } from "./request-log.ts";
import { endpoints as allEndpoints } from "./routes.ts";
import { type Surroundings, serveEndpoint } from "./serve-endpoint.ts";
import { createFindVisitor, type TrustedProxySettings } from "./trusted-proxy.ts";
import { addWebPages } from "./web-pages.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Why the request was refused, for its log line. */
    refusal: AppError | undefined;
    /** The body of that refusal, where it has been made already. */
    refusalText: string | undefined;
  }
}

/** What the HTTP layer needs to know of the configuration. */
export interface HttpConfig {
  /** `off`: everybody on this machine is administrator; the caller must bind to loopback only. */
  auth?: "on" | "off";
  /** MILLRACE_ADMIN_TOKEN. */
  adminToken?: string | undefined;
  bodyLimitBytes?: number;
  rateLimits?: RateLimitOptions;
  /** The address under which browsers reach the service. */
  publicUrl?: string | undefined;
  proxy?: TrustedProxySettings | undefined;
  /** Folder of the built user interface; without it there is only the API. */
  webFolder?: string | undefined;
  /** How long requests under way may take to end when the server closes; 1 to 10 s, by default 5. */
  drainMs?: number;
  /** Hold every answer against its schema; an endpoint that breaks its promise answers 500. */
  checkAnswers?: boolean;
}

export interface AppParts {
  sql: Database;
  keyring: Keyring;
  config: HttpConfig;
  log: Log;
  services: Services;
  /** All of them, unless a test brings its own. */
  endpoints?: readonly Endpoint[];
}

const defaultBodyLimitBytes = 1024 * 1024;
const errandGraceMs = 5000;

/** Of every answer; pages bring a policy that lets in their own files. Whatever else a browser opens as a document runs nothing. */
const answerHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
} as const;

/** The whole HTTP side, ready for `listen` or `inject`. It starts nothing in the background and leaves `sql` open when it closes. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { config, log } = parts;
  const app = Fastify({
    logger: false,
    bodyLimit: config.bodyLimitBytes ?? defaultBodyLimitBytes,
    requestTimeout: 60_000,
    // What comes on a connection that is still open is answered as always; the drain closes the connection after it.
    return503OnClosing: false,
    trustProxy: config.proxy === undefined ? false : [...config.proxy.addresses],
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true, querystringParser: (raw: string) => ({ raw }) },
    frameworkErrors: (error, request, reply) => void answerError(log, error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
  });
  drainWhenClosing(app, config.drainMs ?? 5_000);
  app.decorateRequest("caller", undefined);
  app.decorateRequest("refusal", undefined);
  app.decorateRequest("refusalText", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", (request, reply, done) => {
    addNeutralHeaders(request.headers);
    reply.headers({ ...answerHeaders, "x-request-id": request.id });
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(log, error, request, reply));
  const pages = config.webFolder === undefined ? undefined : addWebPages(app, config.webFolder);
  app.setNotFoundHandler((request, reply) => {
    if (pages?.isPage(request)) return pages.send(reply);
    const path = request.url.split("?", 1)[0]!.slice(0, 200);
    return answerError(log, new AppError("NOT_FOUND", [`${request.method} ${path} here; see /api/docs`]), request, reply);
  });
  addEndpoints(app, parts);
  return app;
}

function addEndpoints(app: FastifyInstance, { sql, keyring, config, log, services, endpoints: given = allEndpoints }: AppParts): void {
  const metrics = createMetrics();
  const endpoints = everyEndpoint(given, metrics);
  app.addHook("onResponse", (request, reply, done) => {
    logRequest(log, request, reply);
    metrics.count(request, reply);
    done();
  });
  const identity = createIdentity(sql, config.adminToken);
  const limits = createRateLimits({ rates: createLiveRates(services.runs.settings, sql), ...config.rateLimits });
  limitRequests(app, limits);
  const surroundings: Surroundings = {
    sql,
    log,
    services: { ...services, stopping: signalOfClosing(app), errands: errandsOf(app, log, services) },
    keyring,
    identity,
    limits,
    isAuthOff: config.auth === "off",
    isSecure: config.publicUrl?.startsWith("https:") === true,
    publicUrl: config.publicUrl,
    findVisitor: config.proxy && createFindVisitor(config.proxy),
    administrators: services.signIn?.administrators ?? [],
    isCheckingAnswers: config.checkAnswers === true,
  };
  for (const endpoint of endpoints) addEndpoint(app, endpoint, surroundings);
  refuseOtherMethods(app, endpoints);
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, surroundings: Surroundings): void {
  const served = serveEndpoint(endpoint, surroundings);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: answersHead(endpoint),
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    onRequest: served.onRequest,
    handler: served.handler,
  });
}

/** The server is only closed when they are done, or their grace is over. */
function errandsOf(app: FastifyInstance, log: Log, services: Services): Errands {
  const errands = services.errands ?? new Errands(log);
  app.addHook("onClose", () => errands.stop(errandGraceMs));
  return errands;
}

/** A grace period for tasks may be none, or an hour; a request needs a moment, and no client waits longer than some seconds. */
function drainWhenClosing(app: FastifyInstance, graceMs: number): void {
  const drain = new ConnectionDrain(app.server);
  app.addHook("preClose", (done) => {
    drain.begin(Math.min(Math.max(graceMs, 1_000), 10_000));
    done();
  });
}

/** Tells streams, of which there may be any number, that the server wants to close. */
function signalOfClosing(app: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  app.addHook("preClose", (done) => {
    closing.abort();
    done();
  });
  return closing.signal;
}

/** What has no route is counted too. A 401 of a request that was let in is a sign-in that failed. */
function limitRequests(app: FastifyInstance, limits: RateLimits): void {
  const isExempt = (request: FastifyRequest) => !isLimited({ path: request.routeOptions.url ?? "" });
  app.addHook("onRequest", (request, _reply, done) => {
    if (!isExempt(request)) limits.takeAddress(request.ip);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (reply.statusCode === 401 && request.caller !== undefined) limits.countFailure(request.ip);
    done();
  });
}

/** The caller's own id when it is harmless, so that a request can be followed through several systems. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.:-]{1,64}$/.test(header) ? header : randomUUID();
}

function answerError(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown, request.routeOptions.bodyLimit);
  request.refusal = error;
  logFailure(log, request, thrown, error);
  for (const [name, value] of Object.entries(errorHeaders(error))) reply.header(name, value);
  return reply
    .status(error.status)
    .header("x-request-id", request.id)
    .type("application/json; charset=utf-8")
    .send(request.refusalText ?? JSON.stringify(errorBody(error, request.id)));
}

/** What Node itself could not read as a request has no route and no reply object: the answer is written by hand. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const reason =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "HEADERS_TOO_LARGE"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "REQUEST_TIMEOUT"
        : "BAD_REQUEST";
  const refusal = new AppError(reason, reason === "BAD_REQUEST" ? ["it is no valid HTTP request"] : []);
  const body = JSON.stringify(errorBody(refusal, randomUUID()));
  const head = `HTTP/1.1 ${statusText(refusal.status).replace("_", " ")}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body);
}

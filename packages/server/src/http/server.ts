import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { type IncomingHttpHeaders, METHODS } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Fastify from "fastify";
import type { Endpoint, Services } from "../api/endpoint.ts";
import { AppError } from "../base/error/app-error.ts";
import { BackgroundJobs } from "../base/process/background-jobs.ts";
import { ByteBudget } from "../base/process/byte-budget.ts";
import type { Log } from "../base/process/log.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { SignInRefusal } from "../base/secret/sign-in-refusal.ts";
import type { Database } from "../store/database/database.ts";
import type { OutageState } from "../store/database/database-outage.ts";
import type { Caller } from "./admit/admit.ts";
import { createFailureRecorder } from "./admit/failure-recorder.ts";
import { createIdentity } from "./admit/identity.ts";
import { createLiveRates, createRateLimits, isLimited, type RateLimitOptions, type RateLimits } from "./admit/rate-limits.ts";
import { createStreamGuard } from "./admit/stream-guard.ts";
import { createFindVisitor, type TrustedProxySettings } from "./admit/trusted-proxy.ts";
import { ConnectionDrain, endIdleReaders } from "./answer/connection-drain.ts";
import { errorBody, errorHeaders, toAppError } from "./answer/error-response.ts";
import { everyEndpoint } from "./answer/every-endpoint.ts";
import {
  beginSpan,
  countRequest,
  countWithoutRoute,
  endSpan,
  isOurMethod,
  logFailure,
  logRequest,
  type RequestSpan,
} from "./answer/report-request.ts";
import { addWebPages } from "./answer/web-pages.ts";
import { makeApiDocument } from "./document/openapi.ts";
import { searchableOperations } from "./handbook/search-pages.ts";
import { addHandbook } from "./handbook/serve-handbook.ts";
import { createBrokenRequests, type RequestCounters } from "./input/broken-requests.ts";
import { createBodyReader } from "./input/collect-body.ts";
import { answersHead, refuseOtherMethods } from "./input/refuse-methods.ts";
import { endpoints as allEndpoints } from "./routes.ts";
import { type EndpointDependencies, serveEndpoint } from "./serve-endpoint.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Of its trace; undefined: it is not traced. */
    span: RequestSpan | undefined;
    /** Why the request was refused, for its log line. */
    refusal: AppError | undefined;
  }
}

/** What the HTTP layer needs to know of the configuration. */
export interface HttpConfig {
  /** `off`: everyone on this machine is administrator; the caller must bind to loopback only. */
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
  /** Folder of the documents, for the handbook at /docs. */
  docsFolder?: string | undefined;
  /** How long requests under way may take to end when the server closes; 1 to 10 s, by default 5. */
  drainMs?: number;
  /** How long a connection may take nothing of an answer that waits for it; by default 60 s. */
  readerIdleMs?: number;
  /** A line at `info` for each request; otherwise it is at `debug`. */
  logsRequests?: boolean;
  /** Hold every answer against its schema; an endpoint that breaks its promise answers 500. */
  checkAnswers?: boolean;
}

interface AppParts {
  sql: Database;
  keyring: Keyring;
  config: HttpConfig;
  log: Log;
  services: Services;
  /** All of them, unless a test brings its own. */
  endpoints?: readonly Endpoint[];
}

const defaultBodyLimitBytes = 1024 * 1024;
const backgroundJobGraceMs = 5000;
/** Of all logs that are being read, together. */
const bytesOfReaders = 96 * 1024 * 1024;

/** Of every answer; pages bring a policy that lets in their own files. Whatever else a browser opens as a document runs nothing. */
const answerHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
} as const;

/** Where browsers come by HTTPS they do so from then on, also when someone in between would rather have it otherwise (RFC 6797). */
const secureHeaders = { "strict-transport-security": "max-age=31536000" } as const;

const isSecure = ({ publicUrl }: HttpConfig) => publicUrl?.startsWith("https:") === true;

/** The whole HTTP side, ready for `listen` or `inject`. It starts nothing in the background and leaves `sql` open when it closes. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { config, log } = parts;
  const counters: RequestCounters = { limits: undefined };
  const broken = createBrokenRequests(counters);
  const app = Fastify({
    logger: false,
    bodyLimit: config.bodyLimitBytes ?? defaultBodyLimitBytes,
    requestTimeout: 60_000,
    // What comes on a connection that is still open is answered as always; the drain closes the connection after it.
    return503OnClosing: false,
    trustProxy: config.proxy === undefined ? false : [...config.proxy.addresses],
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true, querystringParser: (raw: string) => ({ raw }) },
    frameworkErrors: (error, request, reply) => answerUnrouted({ log, counters }, error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: broken.answerUnreadable,
  });
  // The length of a head is limited. Node leaves out what comes after a thousand headers, which may be what a proxy has added.
  app.server.maxHeadersCount = 0;
  // To the framework any method is one like GET, so that no rule of its own about its body comes before our 404 and 405.
  for (const method of METHODS) if (!isOurMethod(method)) app.addHttpMethod(method, { overrideExisting: true });
  broken.refuseTunnels(app);
  const connections = new ConnectionDrain(app.server);
  drainWhenClosing(app, connections, config.drainMs ?? 5_000);
  endIdleReaders(app.server, connections, { idleMs: config.readerIdleMs ?? 60_000, log });
  app.decorateRequest("caller", undefined);
  app.decorateRequest("refusal", undefined);
  app.decorateRequest("span", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", createBodyReader());
  const fixed = isSecure(config) ? { ...answerHeaders, ...secureHeaders } : answerHeaders;
  app.addHook("onRequest", (request, reply, done) => {
    addNeutralHeaders(request.headers);
    request.span = beginSpan(parts.services.runs.tracing, request);
    reply.headers({ ...fixed, "x-request-id": request.id });
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(log, error, request, reply, parts.services.outage?.note(error)));
  const pages = config.webFolder === undefined ? undefined : addWebPages(app, config.webFolder);
  addEndpoints(app, parts, counters);
  app.setNotFoundHandler((request, reply) => {
    if (pages?.isPage(request)) return pages.send(reply);
    const path = request.url.split("?", 1)[0]!;
    return answerError(log, new AppError("NOT_FOUND", [`${request.method} ${path.slice(0, 200)} here; see /api/docs`]), request, reply);
  });
  return app;
}

function addEndpoints(app: FastifyInstance, parts: AppParts, counters: RequestCounters): void {
  const { sql, keyring, config, log, services, endpoints: given = allEndpoints } = parts;
  const endpoints = everyEndpoint(given);
  app.addHook("onResponse", (request, reply, done) => {
    logRequest(log, config.logsRequests ? "info" : "debug", request, reply);
    countRequest(request, reply);
    endSpan(services.runs.tracing, request, reply);
    done();
  });
  const streams = createStreamGuard(log);
  app.addHook("onClose", async () => streams.stop());
  const identity = createIdentity(sql, config.adminToken, { onForget: streams.checkNow });
  const limits = createRateLimits({ rates: createLiveRates(services.runs.settings, sql), ...config.rateLimits });
  const backgroundJobs = backgroundJobsOf(app, log, services);
  limitRequests(app, limits, createFailureRecorder(sql, backgroundJobs));
  Object.assign(counters, { limits } satisfies RequestCounters);
  const dependencies: EndpointDependencies = {
    sql,
    log,
    services: { ...services, stopping: signalOfClosing(app), backgroundJobs, readers: new ByteBudget(bytesOfReaders) },
    keyring,
    identity,
    streams,
    limits,
    isAuthOff: config.auth === "off",
    isSecure: isSecure(config),
    publicUrl: config.publicUrl,
    findVisitor: config.proxy && createFindVisitor(config.proxy),
    administrators: services.signIn?.administrators ?? [],
    isCheckingAnswers: config.checkAnswers === true,
  };
  for (const endpoint of endpoints) addEndpoint(app, endpoint, dependencies);
  // After the limits of requests, so that they hold for it, too.
  if (config.docsFolder !== undefined) addHandbook(app, config.docsFolder, () => [searchableOperations(makeApiDocument(endpoints))]);
  refuseOtherMethods(app, endpoints);
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, dependencies: EndpointDependencies): void {
  const served = serveEndpoint(endpoint, dependencies);
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
function backgroundJobsOf(app: FastifyInstance, log: Log, services: Services): BackgroundJobs {
  const backgroundJobs = services.backgroundJobs ?? new BackgroundJobs(log);
  app.addHook("onClose", () => backgroundJobs.stop(backgroundJobGraceMs));
  return backgroundJobs;
}

/** A grace period for tasks may be none, or an hour; a request needs a moment, and no client waits longer than some seconds. */
function drainWhenClosing(app: FastifyInstance, drain: ConnectionDrain, graceMs: number): void {
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
function limitRequests(app: FastifyInstance, limits: RateLimits, record: ReturnType<typeof createFailureRecorder>): void {
  const isExempt = (request: FastifyRequest) => !isLimited({ path: request.routeOptions.url ?? "" });
  app.addHook("onRequest", (request, _reply, done) => {
    if (!isExempt(request)) limits.takeAddress(request.ip);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (reply.statusCode === 401 && request.caller !== undefined) limits.countFailure(request.ip);
    if (request.refusal instanceof SignInRefusal) record(request.refusal.failed, request.ip);
    done();
  });
}

/** The caller's own id when it is harmless, so that a request can be followed through several systems. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.:-]{1,64}$/.test(header) ? header : randomUUID();
}

/** A path that can't be decoded gets no route, and none of the hooks that count. */
function answerUnrouted(
  { log, counters }: { log: Log; counters: RequestCounters },
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  let refusal = thrown;
  try {
    counters.limits?.takeAddress(request.ip);
  } catch (error) {
    refusal = error;
  }
  answerError(log, refusal, request, reply.headers(answerHeaders));
  countWithoutRoute(request.method, reply.statusCode);
}

function answerError(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply, outage?: OutageState): FastifyReply {
  const error = toAppError(thrown, outage);
  request.refusal = error;
  logFailure(log, request, thrown, error);
  for (const [name, value] of Object.entries(errorHeaders(error))) reply.header(name, value);
  return reply
    .status(error.status)
    .header("x-request-id", request.id)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(error, request.id)));
}

/**
 * The interface speaks of the codehost and the chat platform. The real ones (GitHub, Slack) send headers of their own spelling and
 * nothing else, so these are known by their neutral names from here on.
 */
const neutralNames = Object.entries({
  "x-github-event": "x-codehost-event",
  "x-github-delivery": "x-codehost-delivery",
  "x-hub-signature-256": "x-codehost-signature-256",
  "x-github-hook-installation-target-id": "x-codehost-hook-installation-target-id",
  "x-slack-signature": "x-chat-signature",
  "x-slack-request-timestamp": "x-chat-request-timestamp",
});

/** A neutral header that is there already stays. */
function addNeutralHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, neutral] of neutralNames) {
    const given = headers[name];
    if (given !== undefined) headers[neutral] ??= given;
  }
}

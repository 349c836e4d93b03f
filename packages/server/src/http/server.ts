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
} from "./answer/record-request.ts";
import { addWebPages } from "./answer/web-pages.ts";
import { makeApiDocument } from "./document/openapi.ts";
import { searchableOperations } from "./handbook/search-pages.ts";
import { addHandbook } from "./handbook/serve-handbook.ts";
import { createBrokenRequests, type RequestCounters } from "./input/broken-requests.ts";
import { createBodyCollector } from "./input/collect-body.ts";
import { answersHead, refuseOtherMethods } from "./input/refuse-methods.ts";
import { endpoints as allEndpoints } from "./routes.ts";
import { type EndpointDependencies, serveEndpoint } from "./serve-endpoint.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Of its trace; undefined if it isn't traced. */
    span: RequestSpan | undefined;
    /** Why the request was refused, for its log line. */
    refusal: AppError | undefined;
  }
}

/** What the HTTP layer needs to know of the configuration. */
export interface HttpConfig {
  /** `off`: everyone on this machine is an administrator; the caller must bind to loopback only. */
  auth?: "on" | "off";
  /** MILLRACE_ADMIN_TOKEN. */
  adminToken?: string | undefined;
  bodyLimitBytes?: number;
  rateLimits?: RateLimitOptions;
  /** The address under which browsers reach the service. */
  publicUrl?: string | undefined;
  proxy?: TrustedProxySettings | undefined;
  /** Folder of the built user interface. Without it, only the API is served. */
  webFolder?: string | undefined;
  /** Folder of the documents for the handbook at /docs. */
  docsFolder?: string | undefined;
  /** How long open requests may take to finish when the server closes: 1 to 10 s, by default 5. */
  drainMs?: number;
  /** How long a client may read nothing of a pending response; by default 60 s. */
  readerIdleMs?: number;
  /** A line at `info` for each request; otherwise it is at `debug`. */
  logsRequests?: boolean;
  /** Check every response against its schema. An endpoint that violates it responds with 500. */
  checkAnswers?: boolean;
}

interface AppParts {
  sql: Database;
  keyring: Keyring;
  config: HttpConfig;
  log: Log;
  services: Services;
  /** All endpoints, unless a test passes its own. */
  endpoints?: readonly Endpoint[];
}

const defaultBodyLimitBytes = 1024 * 1024;
const backgroundJobGraceMs = 5000;
/** Of all open log streams together. */
const bytesOfReaders = 96 * 1024 * 1024;

/** Sent with every response. Pages allow their own files by a policy of their own; any other document in a browser can't run scripts. */
const answerHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
} as const;

/** Browsers that came over HTTPS use it from then on, even if an attacker on the network tries to prevent it (RFC 6797). */
const secureHeaders = { "strict-transport-security": "max-age=31536000" } as const;

const isSecure = ({ publicUrl }: HttpConfig) => publicUrl?.startsWith("https:") === true;

/** The whole HTTP side, ready for `listen` or `inject`. It starts nothing in the background, and leaves `sql` open when it closes. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { config, log } = parts;
  const counters: RequestCounters = { limits: undefined };
  const broken = createBrokenRequests(counters);
  const app = Fastify({
    logger: false,
    bodyLimit: config.bodyLimitBytes ?? defaultBodyLimitBytes,
    requestTimeout: 60_000,
    // Requests on a connection that is still open are served as always; the drain closes the connection afterwards.
    return503OnClosing: false,
    trustProxy: config.proxy === undefined ? false : [...config.proxy.addresses],
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true, querystringParser: (raw: string) => ({ raw }) },
    frameworkErrors: (error, request, reply) => answerUnrouted({ log, counters }, error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: broken.answerUnreadable,
  });
  // The length of a head is limited. Node drops everything after a thousand headers, which may include what a proxy has added.
  app.server.maxHeadersCount = 0;
  // The framework treats every method like GET, so that its own rules about bodies don't apply before our 404 and 405.
  for (const method of METHODS) if (!isOurMethod(method)) app.addHttpMethod(method, { overrideExisting: true });
  broken.refuseTunnels(app);
  const connections = new ConnectionDrain(app.server);
  drainWhenClosing(app, connections, config.drainMs ?? 5_000);
  endIdleReaders(app.server, connections, { idleMs: config.readerIdleMs ?? 60_000, log });
  app.decorateRequest("caller", undefined);
  app.decorateRequest("refusal", undefined);
  app.decorateRequest("span", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", createBodyCollector());
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
  // After the rate limits, so that they apply to it, too.
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

/** The server is closed only when they have finished, or their grace period has ended. */
function backgroundJobsOf(app: FastifyInstance, log: Log, services: Services): BackgroundJobs {
  const backgroundJobs = services.backgroundJobs ?? new BackgroundJobs(log);
  app.addHook("onClose", () => backgroundJobs.stop(backgroundJobGraceMs));
  return backgroundJobs;
}

/** The grace period of tasks may be zero, or an hour. Requests need only a moment, and no client waits longer than some seconds. */
function drainWhenClosing(app: FastifyInstance, drain: ConnectionDrain, graceMs: number): void {
  app.addHook("preClose", (done) => {
    drain.begin(Math.min(Math.max(graceMs, 1_000), 10_000));
    done();
  });
}

/** Tells streams, of which there may be any number, that the server is closing. */
function signalOfClosing(app: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  app.addHook("preClose", (done) => {
    closing.abort();
    done();
  });
  return closing.signal;
}

/** Requests without a route are counted, too. A 401 for a request that was admitted is a failed sign-in. */
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

/** The caller's own id if it is harmless, so that a request can be followed through several systems. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.:-]{1,64}$/.test(header) ? header : randomUUID();
}

/** A path that can't be decoded gets no route, and so none of the hooks that count requests. */
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
 * The interface uses neutral names for the code host and the chat platform. The real ones (GitHub, Slack) send headers with names of their
 * own and nothing else, so these are renamed here.
 */
const neutralNames = Object.entries({
  "x-github-event": "x-codehost-event",
  "x-github-delivery": "x-codehost-delivery",
  "x-hub-signature-256": "x-codehost-signature-256",
  "x-github-hook-installation-target-id": "x-codehost-hook-installation-target-id",
  "x-slack-signature": "x-chat-signature",
  "x-slack-request-timestamp": "x-chat-request-timestamp",
});

/** An existing neutral header is kept. */
function addNeutralHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, neutral] of neutralNames) {
    const given = headers[name];
    if (given !== undefined) headers[neutral] ??= given;
  }
}

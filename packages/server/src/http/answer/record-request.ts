// What is recorded of a request: a line of the log, numbers, a span of its trace, and the audit record of its write.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import type { AppError } from "../../base/error/app-error.ts";
import { requestSeconds } from "../../base/metrics/metrics.ts";
import type { Log } from "../../base/process/log.ts";
import { newTrace, readTraceparent, type TraceContext, writeTraceparent } from "../../base/trace/trace-context.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import { type AuditedObject, type AuditRecord, insertAudit } from "../../store/audit/audit.ts";
import type { Queryable } from "../../store/database/database.ts";
import { hasWriteTransaction } from "../admit/admit.ts";
import { methods } from "../input/refuse-methods.ts";

/**
 * One log line per request, for operators who enable it (MILLRACE_LOG_REQUESTS, or the level `debug`); /metrics counts requests anyway. The
 * line has the pattern of the route, not the URL, because paths and query strings may contain secrets.
 */
export function logRequest(log: Log, level: "info" | "debug", request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled(level)) return;
  const { caller, refusal } = request;
  const fields = {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "none",
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(caller?.principal && { principal: caller.principal.id }),
    ...(caller?.team && { team: caller.team.name }),
    ...(refusal && { reason: refusal.reason }),
  };
  log[level](fields, "request");
}

/**
 * Logs an error of ours in full, once. The response contains only the requestId. A value that the database refused should have been refused
 * earlier: the caller gets a 4xx, and the log a warning.
 */
export function logFailure(log: Log, request: FastifyRequest, thrown: unknown, error: AppError): void {
  const err = error.cause instanceof Error ? error.cause : error;
  const fields = { requestId: request.id, method: request.method, route: request.routeOptions.url, err };
  // A deliberate error that isn't about a single request: the line of the request has its reason.
  if (error.status === 503 && error.cause === undefined) return;
  if (error.status >= 500) log.error(fields, "request failed");
  else if (thrown !== error && "severity" in err) log.warn(fields, "the database refused a request");
}

const ours: ReadonlySet<string> = new Set([...methods, "HEAD", "OPTIONS"]);

/** Whether any path has that method. */
export function isOurMethod(method: string): boolean {
  return ours.has(method);
}

/** Routes are patterns, and all unknown methods count as one, so the number of series is limited by the number of endpoints. */
export function countRequest(request: FastifyRequest, reply: FastifyReply): void {
  observe(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
}

/** For requests without a route. */
export function countWithoutRoute(method: string, status: number): void {
  observe(method, "none", status, 0);
}

function observe(method: string, route: string, status: number, seconds: number): void {
  requestSeconds.observe({ method: isOurMethod(method) ? method : "OTHER", route, status }, seconds);
}

/** A request as part of a trace. */
export interface RequestSpan {
  context: TraceContext;
  /** The caller's span; undefined if the trace begins here. */
  parent: TraceContext | undefined;
  startMs: number;
}

/** Requests to the API. Monitoring and loading the interface are not traced. */
export function beginSpan(tracing: Tracing | undefined, request: FastifyRequest): RequestSpan | undefined {
  if (!tracing || !request.url.startsWith("/api/")) return undefined;
  const parent = readTraceparent(request.headers.traceparent);
  return { context: { ...newTrace(tracing), ...(parent && within(parent)) }, parent, startMs: Date.now() };
}

function within({ traceId, isSampled }: TraceContext): Omit<TraceContext, "spanId"> {
  return { traceId, isSampled };
}

/** The pattern of the route, not the URL: paths and query strings may contain secrets. */
export function endSpan(tracing: Tracing | undefined, request: FastifyRequest, reply: FastifyReply): void {
  const { span, refusal } = request;
  if (!tracing || !span?.context.isSampled) return;
  const route = request.routeOptions.url ?? "none";
  tracing.record({
    ...{ context: span.context, parent: span.parent, kind: "server", startMs: span.startMs, endMs: span.startMs + reply.elapsedTime },
    name: `${request.method} ${route}`,
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "http.response.status_code": reply.statusCode,
      "millrace.request.id": request.id,
    },
    ...(reply.statusCode >= 500 && { error: refusal?.reason ?? String(reply.statusCode) }),
  });
}

/** The parent of the spans of runs that the request starts. An invalid header is ignored, as W3C Trace Context requires. */
export function traceparentOf({ span, headers }: FastifyRequest): string | undefined {
  if (span) return writeTraceparent(span.context);
  const { traceparent } = headers;
  return traceparent !== undefined && readTraceparent(traceparent) ? (traceparent as string) : undefined;
}

export interface Auditor {
  /** For the handler: names the object of the request. */
  audit(object: AuditedObject): void;
  /**
   * The record itself, for a handler that writes it in the same statement as the change. `write` then writes only what was named with
   * `audit`.
   */
  auditRecord(object: AuditedObject): AuditRecord;
  /** The request changed nothing after all, so no record is written for its path. */
  auditNothing(): void;
  /** Writes what was named. A write endpoint that named nothing is recorded by its path. */
  write(db: Queryable): Promise<void>;
}

export function createAuditor(endpoint: Endpoint, request: FastifyRequest): Auditor {
  const objects: AuditedObject[] = [];
  let isTakenOver = false;
  return {
    audit: (object) => void objects.push(object),
    auditRecord(object) {
      isTakenOver = true;
      return recordOf(endpoint, request, object);
    },
    auditNothing() {
      isTakenOver = true;
    },
    async write(db) {
      if (objects.length === 0 && !isTakenOver && hasWriteTransaction(endpoint)) objects.push(objectOfPath(endpoint, request));
      for (const object of objects) await insertAudit(db, recordOf(endpoint, request, object));
    },
  };
}

function recordOf(endpoint: Endpoint, request: FastifyRequest, object: AuditedObject): AuditRecord {
  const { principal, team } = request.caller!;
  return {
    teamId: team?.id ?? object.teamId ?? (object.kind === "team" ? (object.id ?? null) : null),
    principalKind: principal.kind,
    principalId: principal.id,
    principalName: principal.name,
    tokenId: principal.tokenId ?? null,
    action: object.action ?? actionOf(endpoint),
    objectKind: object.kind,
    objectId: object.id ?? null,
    objectName: object.name ?? null,
    requestId: request.id,
    before: object.before,
    after: object.after,
  };
}

const verbs: Record<string, string> = { POST: "write", PUT: "write", PATCH: "write", DELETE: "delete", GET: "read" };

/** The permission that the endpoint declares. If it declares none: resource and verb in the same form. */
function actionOf(endpoint: Endpoint): string {
  if (endpoint.permission.includes("/")) return endpoint.permission;
  return `${resourceOf(endpoint)}/${verbs[endpoint.method]}`;
}

function objectOfPath(endpoint: Endpoint, request: FastifyRequest): AuditedObject {
  const named = Object.entries(request.params as Record<string, string>).filter(([name]) => name !== "team");
  const [kind, name] = named.at(-1) ?? [resourceOf(endpoint), request.caller?.team?.name];
  return name === undefined ? { kind } : { kind, name };
}

/** The first segment of the path that is not a team. */
function resourceOf(endpoint: Endpoint): string {
  const words = endpoint.path.replace(/^\/api\/v2\//, "").split("/");
  return (words[0] === "team" && words[2] !== undefined && !words[2].startsWith(":") ? words[2] : words[0]) ?? "instance";
}

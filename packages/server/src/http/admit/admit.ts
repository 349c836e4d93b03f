import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Endpoint, Principal, TeamScope } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { SignInRefusal } from "../../base/secret/sign-in-refusal.ts";
import { sessionCookie } from "../../base/secret/token-text.ts";
import { allows, anonymous, canSeeTeam, platform } from "../../policy/allows.ts";
import { isOutage } from "../../store/database/database-error.ts";
import { rawParameter } from "../input/read-input.ts";
import { checkNavigation, checkOrigin, readCookie } from "./browser-requests.ts";
import type { Identity } from "./identity.ts";
import { checkLocalRequest } from "./local-guard.ts";
import { localPrincipal } from "./principal.ts";
import { isLimited, type RateLimits } from "./rate-limits.ts";
import type { FindVisitor, ProxyVisitor } from "./trusted-proxy.ts";

/** The admitted caller, and the team of the path. */
export interface Caller {
  principal: Principal;
  /** Only where the path has `:team`. */
  team?: TeamScope;
  /** When the caller was admitted: the time of this process's clock, and the revision of the cached rights (`Identity.revision`). */
  admitted: { atMs: number; revision: number };
}

/** Whether the endpoint changes something, regardless of its method. */
export function isWrite(endpoint: Pick<Endpoint, "method" | "transaction">): boolean {
  return endpoint.method !== "GET" || hasWriteTransaction(endpoint);
}

/** Its transaction writes, no matter whether the handler opens it or the server does. */
export function hasWriteTransaction({ transaction }: Pick<Endpoint, "transaction">): boolean {
  return transaction === "write" || transaction === "when-needed";
}

/** What admission needs to know about callers. */
export interface AdmitDependencies {
  identity: Identity;
  limits: RateLimits;
  isAuthOff: boolean;
  /** Browsers reach the service over HTTPS. */
  isSecure: boolean;
  publicUrl: string | undefined;
  /** Absent unless a trusted proxy identifies callers. */
  findVisitor: FindVisitor | undefined;
  /** Email addresses of people who become administrators when they sign in. */
  administrators: readonly string[];
}

/**
 * Everything that decides whether a request is admitted, before its body is read, in this order:
 *
 * 0. Required headers: whether the request has those that the endpoint demands (400).
 * 1. Caller: first by a token, because a token is sent on purpose: a bad one is refused, not skipped. Otherwise by the identity
 *    that a trusted proxy asserts, otherwise by the session cookie. Browsers and proxies send these two automatically, so they
 *    allow a write only if it comes from one of our own pages.
 * 2. Rate: bad credentials are counted per address, good ones per credential.
 * 3. Activation: until the instance is activated, only global tokens are accepted (423 for everyone else).
 * 4. Team: a team that the caller can't see gets the same response as a team that does not exist (404).
 * 5. Permission: the one that the endpoint declares, in that team (403). A workflow token is limited to its workflow.
 */
export async function admit(endpoint: Endpoint, request: FastifyRequest, dependencies: AdmitDependencies): Promise<Caller> {
  const admitted = { atMs: performance.now(), revision: dependencies.identity.revision() };
  return { ...(await findCaller(endpoint, request, dependencies)), admitted };
}

async function findCaller(endpoint: Endpoint, request: FastifyRequest, dependencies: AdmitDependencies): Promise<Omit<Caller, "admitted">> {
  const { identity } = dependencies;
  checkHeaders(endpoint, request);
  if (endpoint.sameOriginOnly === true) checkOrigin(request.headers, dependencies.publicUrl);
  const principal = dependencies.isAuthOff ? authenticateLocally(endpoint, request) : await authenticate(endpoint, request, dependencies);
  if (endpoint.permission === "open") return { principal };
  const teamReference = (request.params as Record<string, string | undefined>)["team"];
  if (teamReference === undefined) {
    if (!allows(principal, endpoint.permission)) refuse(endpoint, "");
    if (principal.workflowId !== undefined) keepToWorkflow(endpoint, request, principal);
    return { principal };
  }
  const team = await identity.teamOf(teamReference);
  if (team === undefined || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [teamReference]);
  const mayEnter = allows(principal, endpoint.permission, team.id) || (endpoint.entrance && allows(principal, endpoint.entrance, team.id));
  if (!mayEnter) refuse(endpoint, ` in team ${team.name}`);
  if (principal.workflowId !== undefined) keepToWorkflow(endpoint, request, principal);
  return { principal, team };
}

function checkHeaders({ headers }: Endpoint, request: FastifyRequest): void {
  const { required = [] } = (headers ?? {}) as { required?: string[] };
  const missing = required.filter((name) => !request.headers[name]).map((name) => `the header ${name} is missing`);
  if (missing.length > 0) throw new AppError("BAD_REQUEST", [missing.join(", and ")]);
}

/** A body that arrives within this time counts as sent together with its head. */
const promptMs = 100;

/**
 * The body is received after the caller was admitted, which may take a minute. A caller who lost the right in the meantime is refused here.
 * This check counts against no rate limit. The transaction that writes repeats it (`within`), with rights read from the database instead of
 * the cache.
 */
export async function admitWithBody(endpoint: Endpoint, request: FastifyRequest, dependencies: AdmitDependencies): Promise<void> {
  const { atMs, revision } = request.caller!.admitted;
  if (performance.now() - atMs < promptMs && revision === dependencies.identity.revision()) return;
  await admitAgain(endpoint, request, dependencies);
}

/** @throws what `admit` throws, if the caller would no longer be admitted */
export async function admitAgain(endpoint: Endpoint, request: FastifyRequest, dependencies: AdmitDependencies): Promise<Caller> {
  request.caller = await admit(endpoint, request, { ...dependencies, limits: noLimits });
  return request.caller;
}

/**
 * The current caller of a long response: roles and tokens may have been revoked since it began. It uses what is cached for two seconds, and
 * counts against no rate limit. Undefined if the credential would no longer be admitted.
 * @param maxAgeMs of what is cached; less than two seconds costs a statement
 */
export async function identifyAgain(
  endpoint: Endpoint,
  request: FastifyRequest,
  dependencies: AdmitDependencies,
  maxAgeMs?: number,
): Promise<Principal | undefined> {
  const { identity } = dependencies;
  const fresh: Identity = {
    ...identity,
    principalOf: (token) => identity.principalOf(token, maxAgeMs),
    principalOfVisitor: (visitor, requestId) => identity.principalOfVisitor(visitor, requestId, maxAgeMs),
  };
  try {
    if (dependencies.isAuthOff) return authenticateLocally(endpoint, request);
    return await authenticate(endpoint, request, { ...dependencies, identity: fresh, limits: noLimits });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const noLimits: RateLimits = { takeAddress() {}, takeCredential() {}, checkFailures() {}, countFailure() {} };

function authenticateLocally(endpoint: Endpoint, request: FastifyRequest): Principal {
  checkLocalRequest(request.headers);
  if (isWrite(endpoint)) checkNavigation(endpoint, request.headers);
  return localPrincipal;
}

/** Before activation only global tokens work. Every other request gets this error, including one without a credential. */
async function authenticate(endpoint: Endpoint, request: FastifyRequest, dependencies: AdmitDependencies): Promise<Principal> {
  const token = readCredential(request.headers, (request.query as { raw: string }).raw, endpoint.tokenInQuery === true);
  const principal = await signIn(endpoint, request, token, dependencies).catch((error: unknown) => {
    // A monitor is to hear from /health that the database is away, even if nobody can say whose credential it has.
    if (endpoint.permission === "open" && !isLimited(endpoint) && isOutage(error)) return undefined;
    throw error;
  });
  if (endpoint.permission === "open") return principal ?? anonymous;
  if (principal?.kind !== "global" && !(await dependencies.identity.isActivated())) throw new AppError("NOT_ACTIVATED");
  if (principal !== undefined) return principal;
  const parameter = (name: string) => rawParameter((request.query as { raw: string }).raw, name);
  const signer = token === undefined ? endpoint.signedBy?.(request.headers, parameter) : undefined;
  if (signer !== undefined) return platform(signer);
  if (token === undefined) throw new AppError("UNAUTHENTICATED", ["sign in, or send Authorization: Bearer TOKEN or x-access-token: TOKEN"]);
  throw new SignInRefusal({ way: "token", why: "unknown-token" }, "UNAUTHENTICATED", ["the token is unknown, revoked or expired"]);
}

/** Undefined if there is no valid credential. One that is sent on purpose takes precedence over what a browser adds automatically. */
async function signIn(
  endpoint: Endpoint,
  request: FastifyRequest,
  token: string | undefined,
  dependencies: AdmitDependencies,
): Promise<Principal | undefined> {
  const { identity, limits } = dependencies;
  const visitor = token === undefined || !/^mr[a-z]_/.test(token) ? dependencies.findVisitor?.(request) : undefined;
  const session =
    token === undefined && visitor === undefined ? readCookie(request.headers.cookie, sessionCookie, dependencies.isSecure) : undefined;
  const credential = token ?? session;
  const isCounted = isLimited(endpoint);
  // The redirect back from an identity provider is a GET that tries a credential, too.
  const isOpenWrite = endpoint.permission === "open" && (endpoint.method !== "GET" || endpoint.redirects === true);
  if (isCounted && (credential !== undefined || isOpenWrite)) limits.checkFailures(request.ip, credential);
  const byToken = token === undefined ? undefined : await identity.principalOf(token);
  const principal = byToken ?? (await signInBrowser(endpoint, request, dependencies, { visitor, session }));
  if (isCounted && principal === undefined && credential !== undefined) limits.countFailure(request.ip);
  if (isCounted && principal !== undefined) limits.takeCredential(byToken || !visitor ? (credential ?? principal.id) : principal.id);
  return principal;
}

/**
 * Identifies the caller by what a browser, or the proxy in front of it, adds to each request automatically. So writes must come from one of
 * our own pages. A token that was sent on purpose takes precedence, even a bad one. The exception is a bearer token that isn't ours, which
 * proxies like to add: it doesn't override the identity that the proxy asserts.
 */
async function signInBrowser(
  endpoint: Endpoint,
  request: FastifyRequest,
  dependencies: AdmitDependencies,
  { visitor, session }: { visitor: ProxyVisitor | undefined; session: string | undefined },
): Promise<Principal | undefined> {
  const principal =
    visitor === undefined
      ? session && (await dependencies.identity.principalOf(session))
      : await admitVisitor(endpoint, visitor, request.id, dependencies);
  if (!principal) return undefined;
  if (isWrite(endpoint)) {
    checkOrigin(request.headers, dependencies.publicUrl);
    checkNavigation(endpoint, request.headers);
  }
  return principal;
}

async function admitVisitor(
  endpoint: Endpoint,
  visitor: ProxyVisitor,
  requestId: string,
  { identity, administrators }: AdmitDependencies,
): Promise<Principal | undefined> {
  if (!(await identity.isActivated())) return undefined;
  const isAdministrator = administrators.includes(visitor.email);
  const principal = await identity.principalOfVisitor({ ...visitor, isAdministrator }, requestId);
  if (principal !== undefined || endpoint.permission === "open") return principal;
  const failed = { way: "proxy", why: "inactive", account: visitor.email } as const;
  throw new SignInRefusal(failed, "PERMISSION_DENIED", [`the account of ${visitor.email} is not active; ask an administrator`]);
}

function refuse(endpoint: Endpoint, where: string): never {
  throw new AppError("PERMISSION_DENIED", [`this needs the permission ${endpoint.permission}${where}`]);
}

/** A workflow token is admitted where the path names its workflow, or where the endpoint declares that it checks the workflow itself. */
function keepToWorkflow(endpoint: Endpoint, request: FastifyRequest, principal: Principal): void {
  if (endpoint.keepsToWorkflow === true) return;
  const reference = (request.params as Record<string, string | undefined>)["workflow"];
  if (reference === undefined) throw new AppError("PERMISSION_DENIED", ["a workflow token is valid only for its own workflow"]);
  if (reference !== principal.workflowName && reference.toLowerCase() !== principal.workflowId) {
    throw new AppError("WORKFLOW_INVALID_REFERENCE", [reference]);
  }
}

/**
 * The text of the credential, in this order: `Authorization: Bearer T`, `x-access-token: T`, and `?access_token=T` where the endpoint
 * allows it (query strings end up in the logs of proxies). Undefined if there is none.
 */
function readCredential(headers: IncomingHttpHeaders, rawQuery: string, isTokenInQuery: boolean): string | undefined {
  const bearer = /^Bearer +(\S.*?) *$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const header = headers["x-access-token"];
  if (typeof header === "string" && header !== "") return header.trim();
  return isTokenInQuery ? rawParameter(rawQuery, "access_token") : undefined;
}

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Endpoint, Principal, TeamScope } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { SignInRefusal } from "../../base/secret/sign-in-refusal.ts";
import { sessionCookie } from "../../base/secret/token-text.ts";
import { allows, anonymous, canSeeTeam, platform } from "../../policy/allows.ts";
import { rawParameter } from "../input/read-query.ts";
import { checkNavigation, checkOrigin, isWrite } from "./check-origin.ts";
import { readCookie } from "./cookies.ts";
import type { Identity } from "./identity.ts";
import { checkLocalRequest } from "./local-guard.ts";
import { localPrincipal } from "./principal.ts";
import { isLimited, type RateLimits } from "./rate-limits.ts";
import type { FindVisitor, ProxyVisitor } from "./trusted-proxy.ts";

/** The caller that was let in, and their team. */
export interface Caller {
  principal: Principal;
  /** Only where the path has `:team`. */
  team?: TeamScope;
  /** When they were let in: the clock of the process, and what was known then (`Identity.revision`). */
  admitted: { atMs: number; revision: number };
}

/** What the door knows about those who come. */
export interface AdmitDependencies {
  identity: Identity;
  limits: RateLimits;
  isAuthOff: boolean;
  /** Browsers reach the service by HTTPS. */
  isSecure: boolean;
  publicUrl: string | undefined;
  /** Absent unless a proxy is trusted to say who calls. */
  findVisitor: FindVisitor | undefined;
  /** Email addresses of people who become administrators when they come. */
  administrators: readonly string[];
}

/**
 * Everything that decides whether a request may enter, before its body is read, in this order:
 *
 * 0. Whether it has the headers that the endpoint requires (400).
 * 1. Who calls: by a token, which is sent on purpose, so that a bad one is refused and not passed over; else by the word of a
 *    trusted proxy; else by the cookie of a session. What a browser or a proxy adds by itself lets a write in only from a page of
 *    ours.
 * 2. How often: bad credentials are counted by address, good ones each for itself.
 * 3. Whether the instance is activated: before that only global tokens get further (423 for all others).
 * 4. Where: a team that the caller can't see is answered as one that is not there (404).
 * 5. What: the permission that the endpoint declares, in that team (403). A workflow token stays with its workflow.
 */
export async function admit(endpoint: Endpoint, request: FastifyRequest, door: AdmitDependencies): Promise<Caller> {
  const admitted = { atMs: performance.now(), revision: door.identity.revision() };
  return { ...(await findCaller(endpoint, request, door)), admitted };
}

async function findCaller(endpoint: Endpoint, request: FastifyRequest, door: AdmitDependencies): Promise<Omit<Caller, "admitted">> {
  const { identity } = door;
  checkHeaders(endpoint, request);
  if (endpoint.sameOriginOnly === true) checkOrigin(request.headers, door.publicUrl);
  const principal = door.isAuthOff ? authenticateLocally(endpoint, request) : await authenticate(endpoint, request, door);
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

/** A body that takes no longer comes with its head. */
const promptMs = 100;

/**
 * The body comes after the caller was let in, and may take a minute: whose right has ended meanwhile is not let in with it. It counts
 * against no limit. The same once more in the transaction that writes (`within`), where the right is read and not remembered.
 */
export async function admitWithBody(endpoint: Endpoint, request: FastifyRequest, door: AdmitDependencies): Promise<void> {
  const { atMs, revision } = request.caller!.admitted;
  if (performance.now() - atMs < promptMs && revision === door.identity.revision()) return;
  await admitAgain(endpoint, request, door);
}

/** @throws what `admit` throws, when the caller would not be let in any more */
export async function admitAgain(endpoint: Endpoint, request: FastifyRequest, door: AdmitDependencies): Promise<Caller> {
  request.caller = await admit(endpoint, request, { ...door, limits: noLimits });
  return request.caller;
}

/**
 * The caller of a long answer, as of now: roles and tokens may have gone since it began. It costs what is kept in memory for two
 * seconds, and counts against no limit. Undefined when the credential would not be let in any more.
 * @param maxAgeMs of what is kept in memory; less than two seconds costs a statement
 */
export async function identifyAgain(
  endpoint: Endpoint,
  request: FastifyRequest,
  door: AdmitDependencies,
  maxAgeMs?: number,
): Promise<Principal | undefined> {
  const { identity } = door;
  const fresh: Identity = {
    ...identity,
    principalOf: (token) => identity.principalOf(token, maxAgeMs),
    principalOfVisitor: (visitor, requestId) => identity.principalOfVisitor(visitor, requestId, maxAgeMs),
  };
  try {
    if (door.isAuthOff) return authenticateLocally(endpoint, request);
    return await authenticate(endpoint, request, { ...door, identity: fresh, limits: noLimits });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const noLimits: RateLimits = { takeAddress() {}, takeCredential() {}, checkFailures() {}, countFailure() {} };

function authenticateLocally(endpoint: Endpoint, request: FastifyRequest): Principal {
  checkLocalRequest(request.headers);
  checkNavigation(endpoint, request.headers);
  return localPrincipal;
}

/** Before activation only global tokens work. Everything else, including a missing credential, gets that error. */
async function authenticate(endpoint: Endpoint, request: FastifyRequest, door: AdmitDependencies): Promise<Principal> {
  const token = readCredential(request.headers, (request.query as { raw: string }).raw, endpoint.tokenInQuery === true);
  const principal = await signIn(endpoint, request, token, door);
  if (endpoint.permission === "open") return principal ?? anonymous;
  if (principal?.kind !== "global" && !(await door.identity.isActivated())) throw new AppError("NOT_ACTIVATED");
  if (principal !== undefined) return principal;
  const parameter = (name: string) => rawParameter((request.query as { raw: string }).raw, name);
  const signer = token === undefined ? endpoint.signedBy?.(request.headers, parameter) : undefined;
  if (signer !== undefined) return platform(signer);
  if (token === undefined) throw new AppError("UNAUTHENTICATED", ["sign in, or send Authorization: Bearer TOKEN or x-access-token: TOKEN"]);
  throw new SignInRefusal({ way: "token", why: "unknown-token" }, "UNAUTHENTICATED", ["the token is unknown, revoked or expired"]);
}

/** Undefined when there is no credential, or none that is good. What is sent on purpose goes before what a browser adds by itself. */
async function signIn(
  endpoint: Endpoint,
  request: FastifyRequest,
  token: string | undefined,
  door: AdmitDependencies,
): Promise<Principal | undefined> {
  const { identity, limits } = door;
  const visitor = token === undefined || !/^mr[a-z]_/.test(token) ? door.findVisitor?.(request) : undefined;
  const session =
    token === undefined && visitor === undefined ? readCookie(request.headers.cookie, sessionCookie, door.isSecure) : undefined;
  const credential = token ?? session;
  const isCounted = isLimited(endpoint);
  // Coming back from a sign-in elsewhere is a GET that tries a credential, too.
  const isOpenWrite = endpoint.permission === "open" && (endpoint.method !== "GET" || endpoint.redirects === true);
  if (isCounted && (credential !== undefined || isOpenWrite)) limits.checkFailures(request.ip, credential);
  const byToken = token === undefined ? undefined : await identity.principalOf(token);
  const principal = byToken ?? (await signInBrowser(endpoint, request, door, { visitor, session }));
  if (isCounted && principal === undefined && credential !== undefined) limits.countFailure(request.ip);
  if (isCounted && principal !== undefined) limits.takeCredential(byToken || !visitor ? (credential ?? principal.id) : principal.id);
  return principal;
}

/**
 * By what a browser or the proxy in front of it adds to each request by itself, so that writes must come from a page of ours. A
 * token that was sent on purpose goes first, also a bad one; only a bearer token of someone else, as proxies like to add, does not
 * keep the proxy's word from counting.
 */
async function signInBrowser(
  endpoint: Endpoint,
  request: FastifyRequest,
  door: AdmitDependencies,
  { visitor, session }: { visitor: ProxyVisitor | undefined; session: string | undefined },
): Promise<Principal | undefined> {
  const principal =
    visitor === undefined ? session && (await door.identity.principalOf(session)) : await admitVisitor(endpoint, visitor, request.id, door);
  if (!principal) return undefined;
  if (isWrite(endpoint)) checkOrigin(request.headers, door.publicUrl);
  checkNavigation(endpoint, request.headers);
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

/** A workflow token enters where the path names its workflow, or where the endpoint has promised to look after it. */
function keepToWorkflow(endpoint: Endpoint, request: FastifyRequest, principal: Principal): void {
  if (endpoint.keepsToWorkflow === true) return;
  const reference = (request.params as Record<string, string | undefined>)["workflow"];
  if (reference === undefined) throw new AppError("PERMISSION_DENIED", ["a workflow token is valid only for its own workflow"]);
  if (reference !== principal.workflowName && reference.toLowerCase() !== principal.workflowId) {
    throw new AppError("WORKFLOW_INVALID_REFERENCE", [reference]);
  }
}

/**
 * The text of the credential, in this order: `Authorization: Bearer T`, `x-access-token: T`, and `?access_token=T` where the
 * endpoint allows it (query strings end in the logs of proxies). Undefined when there is none.
 */
function readCredential(headers: IncomingHttpHeaders, rawQuery: string, isTokenInQuery: boolean): string | undefined {
  const bearer = /^Bearer +(\S.*?) *$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const header = headers["x-access-token"];
  if (typeof header === "string" && header !== "") return header.trim();
  return isTokenInQuery ? rawParameter(rawQuery, "access_token") : undefined;
}

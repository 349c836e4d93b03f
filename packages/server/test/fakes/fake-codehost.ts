import { createVerify, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/**
 * A codehost for tests: real HTTP on loopback, and as strict as the real one. For requests of the app it accepts the app's JWT (RS256,
 * `iss`, at most ten minutes), and for everything else the tokens that it has issued, while they are valid and only for their purpose.
 * `disturb` replaces its next responses, once each.
 */
export interface FakeCodehost {
  /** Base URL of its API. */
  url: string;
  appId: string;
  /** PKCS#1, the format in which the real one provides it. */
  pem: string;
  privateKey: KeyObject;
  /** By number. */
  installations: Map<number, FakeInstallation>;
  /** All requests, in order. */
  requests: { method: string; path: string; body: Record<string, unknown>; authorization: string }[];
  /** Responses that replace those of the next requests whose method and path start with this. */
  disturb(start: string, ...answers: Disturbance[]): void;
  /** Keeps the next such request waiting until the returned function is called. */
  hold(start: string): () => void;
  /** By id. */
  checkRuns: Map<number, FakeCheckRun>;
  statuses: Record<string, unknown>[];
  /** Tokens that it has issued and still accepts. */
  tokens: Map<string, FakeToken>;
  tokenSeconds: number;
  /** The number of requests whose method and path start with this. */
  count(start: string): number;
  close(): Promise<void>;
}

export interface FakeInstallation {
  login: string;
  repositories: { id: number; name: string }[];
  createdAt: string;
  suspendedAt?: string;
  permissions: Record<string, string>;
}

let lastCheckRunId = 100;

export type FakeCheckRun = Record<string, unknown> & { id: number; repository: string };
interface FakeToken {
  installation: number;
  repositoryIds: number[] | undefined;
  expiresAtMs: number;
}
/** `hang up` ends the connection without an answer. */
export type Disturbance = { status: number; headers?: Record<string, string>; body?: unknown } | "hang up";

interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  authorization: string;
}
type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

export async function fakeCodehost(): Promise<FakeCodehost> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const disturbances: { start: string; answer: Disturbance }[] = [];
  const holds: { start: string; until: Promise<void> }[] = [];
  const server = createServer(async (request, response) => answer(request, response));
  const host: FakeCodehost = {
    url: "",
    appId: "77",
    pem: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    privateKey,
    installations: new Map(),
    requests: [],
    disturb: (start, ...answers) => void disturbances.push(...answers.map((one) => ({ start, answer: one }))),
    hold(start) {
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.push({ start, until });
      return release;
    },
    checkRuns: new Map(),
    statuses: [],
    tokens: new Map(),
    tokenSeconds: 3600,
    count: (start) => host.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(message: IncomingMessage, response: ServerResponse) {
    const request = await readRequest(message);
    host.requests.push(request);
    const isMeant = ({ start }: { start: string }) => `${request.method} ${request.path}`.startsWith(start);
    const held = holds.findIndex(isMeant);
    if (held >= 0) await holds.splice(held, 1)[0]!.until;
    const at = disturbances.findIndex(isMeant);
    const disturbed = at < 0 ? undefined : disturbances.splice(at, 1)[0]!.answer;
    if (disturbed === "hang up") return void message.socket.destroy();
    const { status, body, headers } = disturbed ?? route(host, publicKey, request);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  afterAll(() => host.close());
  return host;
}

/** An installation created just now. */
export function addInstallation(host: FakeCodehost, id: number, more: Partial<FakeInstallation> = {}): FakeInstallation {
  const installation: FakeInstallation = {
    login: `org-${id}`,
    repositories: [{ id: id * 10, name: "shop" }],
    createdAt: new Date().toISOString(),
    permissions: { checks: "write", contents: "read", metadata: "read", statuses: "write" },
    ...more,
  };
  host.installations.set(id, installation);
  return installation;
}

async function readRequest(message: IncomingMessage): Promise<Request> {
  let text = "";
  for await (const part of message) text += part;
  const url = new URL(message.url ?? "/", "http://codehost");
  return {
    method: message.method ?? "",
    path: url.pathname.replace("/api/v3", ""),
    query: url.searchParams,
    body: text === "" ? {} : JSON.parse(text),
    authorization: message.headers.authorization ?? "",
  };
}

function route(host: FakeCodehost, publicKey: KeyObject, request: Request): Answer {
  const { method, path } = request;
  const installation = /^\/app\/installations\/(\d+)(\/access_tokens)?$/.exec(path);
  if (installation) {
    const fault = jwtFault(host, publicKey, request.authorization);
    if (fault) return fault;
    const id = Number(installation[1]);
    const found = host.installations.get(id);
    if (!found) return refusal(404, "Not Found");
    return installation[2] && method === "POST" ? issueToken(host, id, found, request) : { status: 200, body: viewOf(host, id, found) };
  }
  const token = host.tokens.get(/^token (.+)$/i.exec(request.authorization)?.[1] ?? "");
  if (!token || token.expiresAtMs < Date.now()) return refusal(401, "Bad credentials");
  if (method === "GET" && path === "/installation/repositories") return listRepositories(host, token, request);
  const listed = /^\/repos\/([^/]+)\/([^/]+)\/commits\/([^/]+)\/check-runs$/.exec(path);
  if (listed && method === "GET") return listCheckRuns(host, token, request, listed);
  const repository = /^\/repos\/([^/]+)\/([^/]+)\/(check-runs|statuses)(?:\/([^/]+))?$/.exec(path);
  if (repository) return writeReport(host, token, request, repository);
  return refusal(404, "Not Found");
}

function refusal(status: number, message: string): Answer {
  return { status, body: { message, documentation_url: "https://docs.codehost.example/rest" } };
}

function jwtFault(host: FakeCodehost, publicKey: KeyObject, authorization: string): Answer | undefined {
  const [header = "", payload = "", signature = ""] = (/^bearer (.+)$/i.exec(authorization)?.[1] ?? "").split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  const undecoded = refusal(401, "A JSON web token could not be decoded");
  if (signature === "" || read(header).alg !== "RS256") return undecoded;
  if (!createVerify("RSA-SHA256").update(`${header}.${payload}`).verify(publicKey, signature, "base64url")) return undecoded;
  const { iss, iat, exp } = read(payload);
  const now = Date.now() / 1000;
  if (!(iat <= now && exp > now && exp <= now + 600)) return refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  return String(iss) === host.appId ? undefined : refusal(404, "Integration not found");
}

function viewOf(host: FakeCodehost, id: number, { login, createdAt, suspendedAt, permissions }: FakeInstallation) {
  return {
    id,
    app_id: Number(host.appId),
    account: { id: id + 1000, login, type: "Organization", html_url: `https://codehost.example/${login}` },
    events: ["push", "pull_request"],
    permissions,
    created_at: createdAt,
    suspended_at: suspendedAt ?? null,
  };
}

function issueToken(host: FakeCodehost, id: number, installation: FakeInstallation, { body }: Request): Answer {
  if (installation.suspendedAt) return refusal(403, "This installation has been suspended");
  const repositoryIds = body["repository_ids"] as number[] | undefined;
  if (repositoryIds?.some((one) => !installation.repositories.some((repository) => repository.id === one)))
    return refusal(422, "There is at least one repository that does not exist or is not accessible to the parent installation.");
  const token = `ghs_${randomBytes(18).toString("hex")}`;
  const expiresAtMs = Date.now() + host.tokenSeconds * 1000;
  host.tokens.set(token, { installation: id, repositoryIds, expiresAtMs });
  const { permissions } = installation;
  return { status: 201, body: { token, expires_at: new Date(expiresAtMs).toISOString(), permissions, repository_selection: "selected" } };
}

function repositoriesOf(host: FakeCodehost, { installation, repositoryIds }: FakeToken) {
  const all = host.installations.get(installation)?.repositories ?? [];
  return repositoryIds ? all.filter(({ id }) => repositoryIds.includes(id)) : all;
}

function listRepositories(host: FakeCodehost, token: FakeToken, { query }: Request): Answer {
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  const all = repositoriesOf(host, token);
  const link = `<${host.url}/installation/repositories?per_page=${size}&page=${page + 1}>; rel="next"`;
  return {
    status: 200,
    body: { total_count: all.length, repositories: all.slice((page - 1) * size, page * size) },
    headers: page * size < all.length ? { link } : {},
  };
}

/** A rejection, if the token is not for that repository or may not write there. */
function accessFault(host: FakeCodehost, token: FakeToken, owner = "", name = "", permission = ""): Answer | undefined {
  const installation = host.installations.get(token.installation);
  const isReachable = owner === installation?.login && repositoriesOf(host, token).some((one) => one.name === name);
  if (!isReachable) return refusal(404, "Not Found");
  return installation?.permissions[permission] === "write" ? undefined : refusal(403, "Resource not accessible by integration");
}

function listCheckRuns(host: FakeCodehost, token: FakeToken, { query }: Request, [, owner, name, sha]: RegExpExecArray): Answer {
  const fault = accessFault(host, token, owner, name, "checks");
  const isMeant = (one: FakeCheckRun) =>
    one.repository === `${owner}/${name}` && one["head_sha"] === sha && one["name"] === query.get("check_name");
  return fault ?? { status: 200, body: { check_runs: [...host.checkRuns.values()].filter(isMeant) } };
}

function writeReport(host: FakeCodehost, token: FakeToken, { method, body }: Request, [, owner, name, kind, ref]: RegExpExecArray): Answer {
  const fault = accessFault(host, token, owner, name, kind === "check-runs" ? "checks" : "statuses");
  if (fault) return fault;
  if (kind === "statuses" && method === "POST") {
    host.statuses.push({ ...body, sha: ref });
    return { status: 201, body: { id: host.statuses.length } };
  }
  if (method === "POST" && ref === undefined) {
    const id = ++lastCheckRunId;
    host.checkRuns.set(id, { ...body, id, repository: `${owner}/${name}` });
    return { status: 201, body: { id } };
  }
  const known = host.checkRuns.get(Number(ref));
  if (!known || method !== "PATCH") return refusal(404, "Not Found");
  Object.assign(known, body);
  return { status: 200, body: { id: known.id } };
}

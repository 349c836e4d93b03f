import { Readable, type Writable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Endpoint, Principal, Reply, Services } from "../api/endpoint.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { atOnce, inSlices, jsonSteps, type Steps } from "../base/process/slices.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { preferredType } from "../base/text/preferred-type.ts";
import { createValidator } from "../core/document/validator.ts";
import { answerYaml, maxYamlLength, writeBoundedYaml } from "../core/document/write-yaml.ts";
import { hasCredential } from "../policy/allows.ts";
import type { Database, Transaction } from "../store/database/database.ts";
import type { AnswerToKeep } from "../store/database/idempotency.ts";
import { transaction } from "../store/database/transaction.ts";
import { type AdmitDependencies, admit, admitAgain, admitWithBody, hasWriteTransaction, identifyAgain, isWrite } from "./admit/admit.ts";
import { createCookies } from "./admit/browser-requests.ts";
import { guardStream, type StreamGuard } from "./admit/stream-guard.ts";
import {
  type Answer,
  answerAlone,
  answerOnce,
  type IdempotentRequest,
  isReplayed,
  readIdempotentRequest,
} from "./answer/idempotent-answer.ts";
import { createAuditor, traceparentOf } from "./answer/record-request.ts";
import { checkPathText, createInputReader, type Input, withPlaces } from "./input/read-input.ts";

/**
 * Serves an endpoint. The order of the steps is fixed here and nowhere else: authenticate, check that the instance is activated, resolve
 * the team, check the permission (`admit`, before the body is read); validate, name what is unknown (`read-input`); take the idempotency
 * key, open the transaction, call the handler, write the audit record in the same transaction; respond. Errors and the log line are handled
 * by the server (`server.ts`).
 */
export interface EndpointDependencies extends AdmitDependencies {
  sql: Database;
  log: Log;
  services: Services;
  keyring: Keyring;
  streams: StreamGuard;
  /** Every response is checked against the schema of its endpoint (tests, development). */
  isCheckingAnswers: boolean;
}

interface ServedEndpoint {
  onRequest(request: FastifyRequest): Promise<void>;
  handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export function serveEndpoint(endpoint: Endpoint, dependencies: EndpointDependencies): ServedEndpoint {
  checkDefinition(endpoint);
  const { identity } = dependencies;
  const readInput = createInputReader(endpoint);
  const toAnswer = createAnswerer(endpoint, dependencies.isCheckingAnswers);
  return {
    async onRequest(request) {
      checkPathText(request);
      request.caller = await admit(endpoint, request, dependencies);
    },
    async handler(request, reply) {
      await admitWithBody(endpoint, request, dependencies);
      const input = await inSlices(readInput(request));
      for (const [name, value] of Object.entries(input.replyHeaders)) reply.header(name, value);
      const isRepeatable = endpoint.idempotent === true && request.headers["idempotency-key"] !== undefined;
      const idempotent = isRepeatable ? readIdempotentRequest(endpoint, request, input.rawBody) : undefined;
      const isYaml = isYamlAsked(endpoint, request);
      const answer = await withPlaces(input, () => runEndpoint(endpoint, dependencies, { request, reply, input, idempotent }, toAnswer));
      if (endpoint.changesRights === true) identity.forget();
      if ("reply" in answer && answer.body instanceof Readable)
        guardStream(endpoint, request, dependencies, answer.body, answer.staysOpenFor);
      if ("reply" in answer && answer.committed !== undefined) throw answer.committed;
      if ("reply" in answer) request.refusal = answer.refusal;
      return send(request, reply, isYaml ? toYaml(endpoint, answer) : answer);
    },
  };
}

/** An endpoint that doesn't declare its permission prevents the start. */
function checkDefinition(endpoint: Endpoint): void {
  const name = `${endpoint.method} ${endpoint.path}`;
  if (!endpoint.permission) throw new Error(`${name} declares no permission`);
  if (endpoint.idempotent === true && !hasWriteTransaction(endpoint))
    throw new Error(`${name} is idempotent, so it needs a write transaction`);
}

/** One request to its endpoint: the input, and where the response goes. */
interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  input: Input;
  idempotent: IdempotentRequest | undefined;
}

async function runEndpoint(
  endpoint: Endpoint,
  dependencies: EndpointDependencies,
  call: Call,
  toAnswer: (result: unknown) => Steps<Answer | Reply>,
): Promise<Answer | Reply> {
  const { sql } = dependencies;
  const { idempotent } = call;
  let effects: (() => void)[] = [];
  const work = async (db: Database | Transaction, keep?: Keep): Promise<Answer | Reply> => {
    // A retried transaction starts over, so effects that the failed try wanted after its commit are dropped.
    effects = [];
    if (isDecidedWithin(endpoint, call.request)) await admitWithin(endpoint, call.request, dependencies, db as Transaction);
    const auditor = createAuditor(endpoint, call.request);
    const result = await endpoint.handle(contextOf(endpoint, dependencies, call, { db, auditor, effects, keep }));
    await auditor.write(db);
    return inSlices(toAnswer(result));
  };
  const inTransaction = (tx: Transaction) =>
    idempotent === undefined ? work(tx) : answerOnce(tx, idempotent, async () => (await work(tx)) as Answer);
  const alone = (request: IdempotentRequest) =>
    answerAlone(request, async (keep) => (await work(sql, (body) => keep((atOnce(toAnswer(body)) as Answer).text as string))) as Answer);
  const isAlone = endpoint.transaction === "none" || (endpoint.transaction === "when-needed" && idempotent === undefined);
  const access = hasWriteTransaction(endpoint) ? "write" : "read";
  const first = endpoint.keepsAnswer === true && idempotent ? await alone(idempotent) : undefined;
  const answer = first ?? (await (isAlone ? work(sql) : transaction(sql, inTransaction, { access })));
  for (const effect of effects) effect();
  notifyTeam(endpoint, call.request, dependencies.services.bus);
  if (endpoint.beforeAnswer === undefined || endpoint.wantsBeforeAnswer?.(call.input.query) === false) return answer;
  if ("reply" in answer || answer.text === null) return answer;
  const context = contextOf(endpoint, dependencies, call, { db: sql, auditor: createAuditor(endpoint, call.request), effects: [] });
  const instead = await endpoint.beforeAnswer(context, JSON.parse(answer.text), isReplayed(answer));
  if (instead === undefined) return answer;
  const late = await inSlices(toAnswer(instead));
  return { ...late, headers: { ...answer.headers, ...late.headers } };
}

/** A write is checked against the rights that its transaction sees. Starts of runs, of which there are many a second, use cached rights. */
function isDecidedWithin({ transaction, permission }: Endpoint, { caller }: FastifyRequest): boolean {
  return transaction === "write" && permission !== "open" && hasCredential(caller!.principal);
}

async function admitWithin(endpoint: Endpoint, request: FastifyRequest, given: EndpointDependencies, tx: Transaction): Promise<Principal> {
  return (await admitAgain(endpoint, request, { ...given, identity: given.identity.within(tx) })).principal;
}

type Keep = (body: unknown) => AnswerToKeep;

/** One try of a request. */
interface Doing {
  db: Database | Transaction;
  auditor: ReturnType<typeof createAuditor>;
  effects: (() => void)[];
  keep?: Keep | undefined;
}

/** What a handler gets (api/endpoint.ts). As one literal without getters: made in parts it took 4 % of a submission. */
function contextOf(
  endpoint: Endpoint,
  dependencies: EndpointDependencies,
  { request, reply, input }: Call,
  { db, auditor, effects, keep }: Doing,
): Context<unknown, unknown, unknown, never> {
  const { services, keyring, isSecure } = dependencies;
  const { principal, team } = request.caller!;
  return {
    db,
    principal,
    team,
    services,
    keyring,
    params: input.params,
    query: input.query,
    body: input.body,
    rawBody: input.rawBody,
    rawBytes: input.rawBytes,
    mediaType: input.mediaType,
    principalNow: () => identifyAgain(endpoint, request, dependencies),
    principalUnderLock: () => admitWithin(endpoint, request, dependencies, db as Transaction),
    requestId: request.id,
    traceparent: traceparentOf(request),
    clientAddress: request.ip?.slice(0, 100) ?? "",
    cookies: () => createCookies(request, reply, isSecure),
    closed: () => closedSignal(reply),
    headers: request.headers,
    audit: auditor.audit,
    auditRecord: auditor.auditRecord,
    auditNothing: auditor.auditNothing,
    keep,
    afterCommit: (effect: () => void) => void effects.push(effect),
  } as Context<unknown, unknown, unknown, never>;
}

function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  else raw.once("close", () => closed.abort());
  return closed.signal;
}

/** From the handler's return value to the response: JSON text, unless the handler returned a stream or a text with its own content type. */
function createAnswerer(endpoint: Endpoint, isChecking: boolean): (result: unknown) => Steps<Answer | Reply> {
  const validator = endpoint.response === null ? undefined : createValidator(endpoint.response);
  return function* (result) {
    const reply: Reply = isReply(result) ? result : { reply: true, body: result };
    if (reply.headers?.["content-type"] !== undefined || reply.committed !== undefined) return reply;
    const isEmpty = reply.body === undefined || endpoint.response === null;
    const text = isEmpty ? null : ((yield* jsonSteps(reply.body)) as string);
    const status = reply.status ?? (isEmpty ? 204 : 200);
    if (isChecking && validator !== undefined && status === 200)
      checkAnswer(endpoint, validator.faults(text === null ? undefined : JSON.parse(text)));
    return { status, text, headers: reply.headers ?? {} };
  };
}

function checkAnswer(endpoint: Endpoint, faults: { path: string; message: string }[]): void {
  if (faults.length === 0) return;
  const list = faults.map(({ path, message }) => `${path} ${message}`).join("; ");
  throw new Error(`${endpoint.method} ${endpoint.path} answers other than it promises: ${list}`);
}

function isReply(result: unknown): result is Reply {
  return typeof result === "object" && result !== null && (result as Partial<Reply>).reply === true;
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Reply): FastifyReply {
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
  if ("reply" in answer) return sendReply(reply.status(answer.status ?? 200), answer.body);
  const etag = answer.headers["etag"];
  if (etag !== undefined && request.method === "GET" && matchesTag(request.headers["if-none-match"], etag)) return reply.status(304).send();
  reply.status(answer.status);
  return answer.text === null ? reply.send() : reply.header("content-type", "application/json; charset=utf-8").send(answer.text);
}

/** The head of a stream is sent at once, because its first byte may take a long time. A HEAD request gets no stream. */
function sendReply(reply: FastifyReply, body: unknown): FastifyReply {
  if (body instanceof Readable && reply.request.method === "HEAD") {
    body.destroy();
    return reply.send();
  }
  if (!(body instanceof Readable)) return reply.send(body);
  // Asks proxies not to buffer the response.
  reply.header("x-accel-buffering", "no");
  if (isPaced(body)) body.paceBy(reply.raw);
  reply.send(body);
  reply.raw.flushHeaders();
  return reply;
}

/** A stream that sends the next part once the connection has taken the previous one. */
function isPaced(body: Readable): body is Readable & { paceBy(sink: Writable): void } {
  return "paceBy" in body;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const strip = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => strip(tag) === strip(etag));
}

/** The kind of object in a path: `schedule` for `/api/v2/team/:team/schedule/:scheduleId`; `team` for what has no list of its own. */
const kindOfPath = /^\/api\/v2\/team\/:team\/(workflow|workflowrun|schedule|task|action|subscription)(?:\/|$)/;
/** The same for paths outside of any team, with the names used there. */
const kindOfInstancePath = /^\/api\/v2\/(team|user|task|workflowtemplate|parameters|token|settings|subscription)(?:\/|$)/;
const namesOfKinds: Readonly<Record<string, string>> = { parameters: "parameter", settings: "system" };

/** Notifies the open pages of the team, or of the instance, of a write: after the commit, once a request. */
function notifyTeam(endpoint: Endpoint, request: FastifyRequest, bus: EventBus | undefined): void {
  if (!isWrite(endpoint) || endpoint.isNoChange === true) return;
  const team = request.caller?.team;
  if (team !== undefined) bus?.wake("teams", `${team.id} ${kindOfPath.exec(endpoint.path)?.[1] ?? "team"}`);
  else notifyInstance(endpoint, bus);
}

function notifyInstance({ path }: Endpoint, bus: EventBus | undefined): void {
  const kind = kindOfInstancePath.exec(path)?.[1];
  if (kind !== undefined) bus?.wake("teams", `instance ${namesOfKinds[kind] ?? kind}`);
}

/**
 * Whether the JSON of this endpoint is to be sent as YAML: only if Accept names YAML. Endpoints with a YAML form of their own (tasks,
 * pipelines) decide for themselves. Called before anything is written.
 */
function isYamlAsked({ produces, response }: Endpoint, { headers }: FastifyRequest): boolean {
  const accept = headers.accept;
  if (produces !== undefined || response === null || accept === undefined || !yamlRange.test(accept)) return false;
  return preferredType(accept, ["application/json", "application/x-yaml"]) === "application/x-yaml";
}

/** Another media type whose name contains these letters counts as a request for JSON. */
const yamlRange = /(?:^|,)\s*(?:application|text)\/(?:x-)?yaml\s*(?:[;,]|$)/i;

/**
 * Streams, and responses with a content type of their own, are not converted. Neither is a response to a write that is too long, because
 * the write has happened.
 * @throws NOT_ACCEPTABLE if the response to a read is too long
 */
function toYaml(endpoint: Endpoint, answer: Answer | Reply): Answer | Reply {
  if ("reply" in answer || answer.text === null) return answer;
  const { status, text, headers } = answer;
  const write = isWrite(endpoint) ? writeBoundedYaml : answerYaml;
  const body = write(text.length > maxYamlLength ? undefined : JSON.parse(text), text.length);
  if (body === undefined) return answer;
  const type = { "content-type": "application/x-yaml; charset=utf-8", vary: "Accept" };
  return { reply: true, status, headers: { ...headers, ...type }, body };
}

// A response that is kept under its Idempotency-Key, for a request that is sent again.
import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Transaction } from "../../store/database/database.ts";
import { isUniqueViolation } from "../../store/database/database-error.ts";
import {
  type AnswerToKeep,
  claimIdempotencyKey,
  findKeptAnswer,
  type IdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
} from "../../store/database/idempotency.ts";

/**
 * Idempotency-Key: the same key with the same request within 24 hours gets the first response again; with another request it gets a
 * 409. The key is claimed first in the transaction of the request, so a second request waits for the first one to end; or the statement
 * that makes the change stores the response with it, and fails if the key is taken. Only successful responses are kept. A refused request has changed nothing, so its key is free again: what it lacked (a right, a workflow, quota, an
 * active team) may exist the next time, and the client should not need another key for that.
 */
export interface Answer {
  status: number;
  /** JSON text; null for no body. */
  text: string | null;
  headers: Record<string, string>;
}

export interface IdempotentRequest {
  key: IdempotencyKey;
  requestHash: Buffer;
}

/**
 * For a request that has the header. Not for signed ones: the stored response would be sent before the handler checks the signature.
 * @throws BAD_REQUEST
 */
export function readIdempotentRequest(endpoint: Endpoint, request: FastifyRequest, rawBody: string): IdempotentRequest | undefined {
  const { principal } = request.caller!;
  if (principal.kind === "integration") return undefined;
  const [header] = [request.headers["idempotency-key"]].flat();
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new AppError("BAD_REQUEST", ["the header Idempotency-Key must have 1 to 255 printable ASCII characters without spaces"]);
  }
  const [path = "", query = ""] = request.url.split("?", 2);
  // How long the client waits doesn't change what it requests.
  const wanted = query.split("&").filter((part) => !part.startsWith("wait="));
  const content = `${wanted.join("&")}\n${rawBody}${eventHeaders(request)}`;
  return { key: { principal: principal.id, method: endpoint.method, path, key: header }, requestHash: hash("sha256", content, "buffer") };
}

/** An event in binary mode has its attributes in headers. */
function eventHeaders({ headers }: FastifyRequest): string {
  const names = Object.keys(headers).filter((name) => name.startsWith("ce-"));
  return names.length === 0 ? "" : `\n${JSON.stringify(names.sort().map((name) => [name, headers[name]]))}`;
}

/**
 * Computes the response with `make`, which stores it by `keep` in the statement that makes its change. Undefined if the key must be claimed
 * first (`answerOnce`): a response is stored already, is being stored at this moment, or the request is refused now and may have been
 * answered before.
 */
export async function answerAlone(
  { key, requestHash }: IdempotentRequest,
  make: (keep: (response: string) => AnswerToKeep) => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await make((response) => ({ ...key, requestHash, response }));
  } catch (error) {
    if (error instanceof AppError || isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** Returns the stored response if there is one. Otherwise computes it, and stores it in the same transaction. */
export async function answerOnce(tx: Transaction, request: IdempotentRequest, make: () => Promise<Answer>): Promise<Answer> {
  if (!(await claimIdempotencyKey(tx, request.key, request.requestHash))) return replay(tx, request);
  const answer = await make();
  if (answer.status >= 200 && answer.status < 300) await keepAnswer(tx, request.key, answer.status, answer.text);
  else await releaseIdempotencyKey(tx, request.key);
  return answer;
}

async function replay(tx: Transaction, request: IdempotentRequest): Promise<Answer> {
  const kept = await findKeptAnswer(tx, request.key);
  if (kept === undefined || kept.status === null)
    throw new AppError("CONFLICT", ["A request with this Idempotency-Key is still in progress"]);
  if (!kept.requestHash.equals(request.requestHash)) {
    throw new AppError("CONFLICT", [`The Idempotency-Key ${request.key.key} was used for a request with another body or query`]);
  }
  return { status: kept.status, text: kept.response, headers: { [replayed]: "true" } };
}

const replayed = "idempotency-replayed";

/** Whether the response was stored for an earlier request. */
export function isReplayed({ headers }: Pick<Answer, "headers">): boolean {
  return headers?.[replayed] !== undefined;
}

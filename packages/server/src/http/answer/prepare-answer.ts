// An answer before it is sent: kept under its Idempotency-Key, and written as YAML if the request asks for that.
import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { preferredType } from "../../base/text/preferred-type.ts";
import { answerYaml, maxYamlLength, writeBoundedYaml } from "../../core/document/write-yaml.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  claimIdempotencyKey,
  findKeptAnswer,
  type IdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
} from "../../store/database/idempotency.ts";
import { isWrite } from "../admit/browser-requests.ts";

/**
 * Idempotency-Key: the same key with the same request within 24 hours gets the first response again; with another request it gets a
 * 409. The key is claimed first in the transaction of the request, so a second request waits for the first one to end. Only successful
 * responses are kept. A refused request has changed nothing, so its key is free again: what it lacked (a right, a workflow, quota, an
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

/** @param content everything else that identifies the request: query string and body */
export function readIdempotencyKey(
  header: string | undefined,
  key: Omit<IdempotencyKey, "key">,
  content: string,
): IdempotentRequest | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new AppError("BAD_REQUEST", ["the header Idempotency-Key must have 1 to 255 printable ASCII characters without spaces"]);
  }
  return { key: { ...key, key: header }, requestHash: hash("sha256", content, "buffer") };
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
  return { status: kept.status, text: kept.response, headers: { "idempotency-replayed": "true" } };
}

/**
 * Whether the JSON of this endpoint is to be sent as YAML: only if Accept names YAML. Endpoints with a YAML form of their own (tasks,
 * pipelines) decide for themselves. Called before anything is written.
 */
export function isYamlAsked({ produces, response }: Endpoint, { headers }: FastifyRequest): boolean {
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
export function toYaml(endpoint: Endpoint, answer: Answer | Reply): Answer | Reply {
  if ("reply" in answer || answer.text === null) return answer;
  const { status, text, headers } = answer;
  const write = isWrite(endpoint) ? writeBoundedYaml : answerYaml;
  const body = write(text.length > maxYamlLength ? undefined : JSON.parse(text), text.length);
  if (body === undefined) return answer;
  const type = { "content-type": "application/x-yaml; charset=utf-8", vary: "Accept" };
  return { reply: true, status, headers: { ...headers, ...type }, body };
}

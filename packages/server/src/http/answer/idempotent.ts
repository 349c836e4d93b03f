import { hash } from "node:crypto";
import { AppError } from "../../base/error/app-error.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  claimIdempotencyKey,
  findKeptAnswer,
  type IdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
} from "../../store/database/idempotency.ts";

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

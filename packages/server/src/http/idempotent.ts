import { hash } from "node:crypto";
import { AppError } from "../base/app-error.ts";
import type { Database, Transaction } from "../store/database.ts";
import { claimIdempotencyKey, findKeptAnswer, type IdempotencyKey, keepAnswer, keepRefusal } from "../store/idempotency.ts";

/**
 * Idempotency-Key: the same key with the same request within 24 hours gets the first answer again, with another request a
 * 409. The key is claimed first in the transaction of the request, so a second request waits for the first to end. Only
 * final answers are kept: successes and refusals that would come again, never 401, 429 or 5xx; and never 400, which quotes what was
 * sent (it may be a secret) and comes again by itself, since the body is the same.
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

/** @param content everything else that makes the request what it is: query string and body */
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

/** The kept answer when there is one; else makes it and keeps it in the same transaction. */
export async function answerOnce(tx: Transaction, request: IdempotentRequest, make: () => Promise<Answer>): Promise<Answer> {
  if (!(await claimIdempotencyKey(tx, request.key, request.requestHash))) return replay(tx, request);
  const answer = await make();
  await keepAnswer(tx, request.key, answer.status, answer.text);
  return answer;
}

async function replay(tx: Transaction, request: IdempotentRequest): Promise<Answer> {
  const kept = await findKeptAnswer(tx, request.key);
  if (kept === undefined || kept.status === null)
    throw new AppError("CONFLICT", ["A request with this Idempotency-Key is still under way"]);
  if (!kept.requestHash.equals(request.requestHash)) {
    throw new AppError("CONFLICT", [`The Idempotency-Key ${request.key.key} was used for a request with another body or query`]);
  }
  return { status: kept.status, text: kept.response, headers: { "idempotency-replayed": "true" } };
}

/** Keeps a refusal that would come again. Its transaction was rolled back, so this is a statement of its own. */
export async function keepFinalRefusal(sql: Database, request: IdempotentRequest, status: number, text: string): Promise<void> {
  const isFinal = status >= 400 && status < 500 && ![400, 401, 429].includes(status);
  if (isFinal) await keepRefusal(sql, request.key, request.requestHash, status, text);
}

import { AppError } from "../../../base/error/app-error.ts";
import { networkOf } from "../../../base/network/ip-ranges.ts";
import { hashToken } from "../../../base/secret/token-text.ts";
import { readEmail } from "../../../base/text/email.ts";
import type { Database, Queryable } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { type AttemptLimit, forgetAttempt, takeAttempt } from "../../../store/run/failed-attempts.ts";

/** Wrong passwords and codes within a quarter of an hour, over all processes: for one account, and from one address. */
const mostForAccount = 10;
const mostFromAddress = 100;

/**
 * Wrong one-time codes within a quarter of an hour: from one address, and from all. The code has 100 random bits; the limit keeps log and
 * audit small.
 */
const mostActivationsFromAddress = 10;
const mostActivations = 100;

/** Wrong invitation links within a quarter of an hour, from one address. They can't be guessed; the limit keeps the log small. */
const mostInvitations = 30;

/** Wrong user codes of a program's sign-in within a quarter of an hour, by one person. */
const mostUserCodes = 10;

/** Test messages of one administrator within a quarter of an hour, so that they can't fill a mailbox. */
const mostMailTests = 10;

/** An attempt that counts as failed until `succeed` is called. */
export interface Attempt {
  /** In the transaction of what the attempt was for. */
  succeed(db: Queryable): Promise<void>;
}

/**
 * Call it before anything is checked, whether or not the account exists: so the response reveals nothing about the account. All spellings
 * of an address are one account here, as they are in the database.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginAttempt(db: Database, email: string, clientAddress: string): Promise<Attempt> {
  const account = hashToken(`account ${readEmail(email) ?? email.normalize("NFC").toLowerCase()}`);
  return begin(db, account, [
    { subject: account, most: mostForAccount },
    { subject: hashToken(`address ${networkOf(clientAddress)}`), most: mostFromAddress },
  ]);
}

/**
 * The same for a one-time code. Attempts with codes and with passwords are counted separately, so that mistyping one does not block the
 * other.
 *
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginActivation(db: Database, clientAddress: string): Promise<Attempt> {
  const instance = hashToken("activation");
  return begin(db, instance, [
    { subject: hashToken(`activation from ${networkOf(clientAddress)}`), most: mostActivationsFromAddress },
    { subject: instance, most: mostActivations },
  ]);
}

/**
 * The same for a user code. A right one does not reset the count of wrong ones, because everyone can get a right one, from a program of
 * their own.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginUserCode(db: Database, userId: string, clientAddress: string): Promise<Attempt> {
  return begin(db, hashToken("none"), [
    { subject: hashToken(`user code by ${userId}`), most: mostUserCodes },
    { subject: hashToken(`user code from ${networkOf(clientAddress)}`), most: mostFromAddress },
  ]);
}

/**
 * The same for an invitation link. A right one does not reset the count of wrong ones, because an inviter can always get one.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginInvitation(db: Database, clientAddress: string): Promise<Attempt> {
  return begin(db, hashToken("none"), [{ subject: hashToken(`invitation from ${networkOf(clientAddress)}`), most: mostInvitations }]);
}

/**
 * For test messages: limits their number within a quarter of an hour, whether they arrive or not.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginMailTest(db: Database, principalId: string): Promise<void> {
  await begin(db, hashToken("none"), [{ subject: hashToken(`mail test by ${principalId}`), most: mostMailTests }]);
}

/** @param cleared the subject whose failures are forgotten after a success */
async function begin(db: Database, cleared: Buffer, limits: readonly AttemptLimit[]): Promise<Attempt> {
  const taken = await transaction(db, (tx) => takeAttempt(tx, limits));
  if ("waitSeconds" in taken) throw new AppError("TOO_MANY_REQUESTS", [taken.waitSeconds], { retryAfterSeconds: taken.waitSeconds });
  return { succeed: (tx) => forgetAttempt(tx, taken.ids, cleared) };
}

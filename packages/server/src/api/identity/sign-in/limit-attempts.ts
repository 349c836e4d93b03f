import { AppError } from "../../../base/error/app-error.ts";
import { networkOf } from "../../../base/network/ip-ranges.ts";
import { hashToken } from "../../../base/secret/token-text.ts";
import { readEmail } from "../../../base/text/email.ts";
import type { Database, Queryable } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { type AttemptLimit, forgetAttempt, takeAttempt } from "../../../store/run/failed-attempts.ts";

/** Wrong passwords and codes in a quarter of an hour, over all processes: for one account, and from one address. */
const mostForAccount = 10;
const mostFromAddress = 100;

/**
 * Wrong one-time codes in a quarter of an hour: from one address, and from all. The code has 100 random bits; this keeps log and
 * audit calm.
 */
const mostActivationsFromAddress = 10;
const mostActivations = 100;

/** Wrong links of invitations in a quarter of an hour, from one address. They can't be guessed; this keeps the log calm. */
const mostInvitations = 30;

/** Wrong user codes of a program's sign-in in a quarter of an hour, by one person. */
const mostUserCodes = 10;

/** Test messages of one administrator in a quarter of an hour: nobody's mailbox is filled by them. */
const mostMailTests = 10;

/** An attempt that counts as failed until `succeed` is called. */
export interface Attempt {
  /** In the transaction of what it was for. */
  succeed(db: Queryable): Promise<void>;
}

/**
 * Call it before anything is checked, known account or not: what it answers says nothing about the account. All spellings of an
 * address are one account here, as they are one in the database.
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
 * The same before a one-time code is checked. Attempts with codes are counted apart from attempts with passwords: mistyping one
 * does not block the other.
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
 * The same before a user code is looked up. A right one leaves the wrong ones standing: a person can always have a right one, that of
 * a program of their own.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginUserCode(db: Database, userId: string, clientAddress: string): Promise<Attempt> {
  return begin(db, hashToken("none"), [
    { subject: hashToken(`user code by ${userId}`), most: mostUserCodes },
    { subject: hashToken(`user code from ${networkOf(clientAddress)}`), most: mostFromAddress },
  ]);
}

/**
 * The same before the link of an invitation is looked up. A right one leaves the wrong ones standing: a person who invites can always have one.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginInvitation(db: Database, clientAddress: string): Promise<Attempt> {
  return begin(db, hashToken("none"), [{ subject: hashToken(`invitation from ${networkOf(clientAddress)}`), most: mostInvitations }]);
}

/**
 * Before a test message is sent: so many within a quarter of an hour, whether they arrive or not.
 * @throws AppError TOO_MANY_REQUESTS with the time to wait
 */
export async function beginMailTest(db: Database, principalId: string): Promise<void> {
  await begin(db, hashToken("none"), [{ subject: hashToken(`mail test by ${principalId}`), most: mostMailTests }]);
}

/** @param cleared the subject against which nothing is held any more after a success */
async function begin(db: Database, cleared: Buffer, limits: readonly AttemptLimit[]): Promise<Attempt> {
  const taken = await transaction(db, (tx) => takeAttempt(tx, limits));
  if ("waitSeconds" in taken) throw new AppError("TOO_MANY_REQUESTS", [taken.waitSeconds], { retryAfterSeconds: taken.waitSeconds });
  return { succeed: (tx) => forgetAttempt(tx, taken.ids, cleared) };
}

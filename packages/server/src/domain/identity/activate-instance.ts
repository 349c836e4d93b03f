import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../base/error/app-error.ts";
import { hashOneTimeCode } from "../../base/secret/one-time-code.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findUserByEmail, insertUser, promoteUser } from "../../store/identity/users.ts";
import { lockInstance, activateInstance as storeActivation } from "../../store/settings/instance.ts";

export interface Administrator {
  email: string;
  passwordHash: string;
}

/**
 * The instance begins to answer, and its first administrator is there: answers his id. Of two activations at once, the second is
 * refused.
 */
export async function activateInstance(db: Queryable, administrator: Administrator | undefined): Promise<string | undefined> {
  const instance = await lockInstance(db);
  if (instance.activatedAt !== null) throw new AppError("CONFLICT", ["This instance is activated already"]);
  await storeActivation(db);
  return administrator === undefined ? undefined : ensureAdministrator(db, administrator);
}

/** Whether the text is the one-time code whose hash is kept, in whatever case and with or without hyphens. */
export function isCode(text: string, hash: Buffer | null): boolean {
  return hash !== null && timingSafeEqual(hashOneTimeCode(text), hash);
}

async function ensureAdministrator(db: Queryable, { email, passwordHash }: Administrator): Promise<string> {
  const made = await insertUser(db, { email, name: email, type: "admin", status: "active", passwordHash });
  if (made !== undefined) return made.id;
  const present = await findUserByEmail(db, email);
  // Gone between the two statements: users can be deleted only by a global token before activation.
  if (present === undefined) throw new AppError("CONFLICT", ["The user was deleted at the same time; try again"]);
  await promoteUser(db, present.id, passwordHash);
  return present.id;
}

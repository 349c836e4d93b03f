import { AppError } from "../../base/error/app-error.ts";
import { hashToken, hashUserCode, isTokenText, newTokenText, newUserCode } from "../../base/secret/token-text.ts";
import { cleanName } from "../../base/text/clean-name.ts";
import type { Queryable } from "../../store/database/database.ts";
import { type DeviceSignInRow, deleteDevice, insertDeviceSignIn, lockDevice, noteFetch } from "../../store/identity/device-sign-ins.ts";
import { insertToken } from "../../store/identity/tokens.ts";
import { findUser } from "../../store/identity/users.ts";

/**
 * Sign-in of the command line (RFC 8628). The program gets two codes: a secret one, with which it fetches a token later, and a short one
 * that a person enters in a browser where they are signed in. Everything is stored in one row for ten minutes, the codes as hashes. The
 * token is created when the program fetches it, so no row ever contains one, and it is returned only once.
 */
export const devicePauseSeconds = 5;
const lifetimeSeconds = 600;
const tokenDays = 90;

interface Asking {
  hostName: string;
  userAgent: string | null;
  clientAddress: string;
  network: string;
}

/** @throws AppError if too many are open */
export async function beginDevice(db: Queryable, asking: Asking): Promise<{ deviceCode: string; userCode: string; expiresAt: Date }> {
  const hostName = cleanName(asking.hostName)?.slice(0, 100);
  if (hostName === undefined) throw new AppError("BAD_REQUEST", ["hostName has no visible character"]);
  const [deviceCode, userCode] = [newTokenText("mrd_"), newUserCode()];
  const hashes = { deviceHash: hashToken(deviceCode), userHash: hashUserCode(userCode) };
  const made = await insertDeviceSignIn(db, { ...asking, hostName, ...hashes, lifetimeSeconds });
  if (made === undefined) throw new AppError("TOO_MANY_REQUESTS", [60], { retryAfterSeconds: 60 });
  return { deviceCode, userCode, expiresAt: made.expiresAt };
}

export type FetchedToken =
  | { status: "pending" | "refused" | "expired" }
  | { status: "approved"; userId: string; email: string; tokenId: string; name: string; text: string; expiresAt: Date };

/** The current result. Any result other than `pending` is final. @throws AppError for a program that polls too often */
export async function fetchDevice(db: Queryable, deviceCode: string): Promise<FetchedToken> {
  const row = isTokenText(deviceCode) ? await lockDevice(db, hashToken(deviceCode)) : undefined;
  if (row === undefined) return { status: "expired" };
  if (row.status === "pending") {
    // A second less than it should wait, because clocks and networks are not exact.
    if (row.polledSecondsAgo !== null && row.polledSecondsAgo < devicePauseSeconds - 1)
      throw new AppError("TOO_MANY_REQUESTS", [devicePauseSeconds], { retryAfterSeconds: devicePauseSeconds });
    await noteFetch(db, row.id);
    return { status: "pending" };
  }
  await deleteDevice(db, row.id);
  return row.userId === null ? { status: "refused" } : makeToken(db, row, row.userId);
}

/** A person who was deactivated in the meantime gets nothing. */
async function makeToken(db: Queryable, row: DeviceSignInRow, userId: string): Promise<FetchedToken> {
  const user = await findUser(db, userId);
  if (user?.status !== "active") return { status: "refused" };
  const [text, name] = [newTokenText("mru_"), `millrace login on ${row.hostName}`];
  const expiresAt = new Date(row.createdAt.getTime() + tokenDays * 86_400_000);
  const made = await insertToken(db, {
    ...{ kind: "user", name, userId, expiresAt, permissions: ["**/**"], hash: hashToken(text) },
    description: `Approved in a browser; asked for from ${row.clientAddress}`,
    createdBy: `user:${userId}`,
    maker: { userId },
  });
  return { status: "approved", userId, email: user.email, tokenId: made!.id, name, text, expiresAt };
}

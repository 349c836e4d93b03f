import {
  type DeviceSignIn,
  type DeviceToken,
  deviceDecision,
  deviceSignIn,
  deviceSignInRequest,
  deviceToken,
  deviceTokenRequest,
  type PendingDevice,
  pendingDevice,
} from "@millrace/contract/identity/device-sign-in.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { networkOf } from "../../../base/network/ip-ranges.ts";
import { hashUserCode } from "../../../base/secret/token-text.ts";
import { beginDevice, devicePauseSeconds, fetchDevice } from "../../../domain/identity/device-sign-in.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Database } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { type DeviceSignInRow, decideDevice, findPendingDevice } from "../../../store/identity/device-sign-ins.ts";
import { defineEndpoint, type Principal } from "../../endpoint.ts";
import { requireWholePerson } from "../require-person.ts";
import { requireActivated, signInRules } from "./begin-session.ts";
import { beginUserCode } from "./limit-attempts.ts";

const page = "/sign-in/device";

export const beginDeviceSignIn = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/device",
  summary: "Begin the sign-in of a program",
  description:
    "For programs such as `millrace login` (RFC 8628). Show the page and the user code to the person, then ask for the token until the answer " +
    "is not `pending`. At most 20 sign-ins from one address and 1,000 in all can be open (429).",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "write",
  body: deviceSignInRequest,
  response: deviceSignIn,
  async handle({ db, body, headers, clientAddress, services, auditNothing }): Promise<DeviceSignIn> {
    await requireActivated(db);
    const { publicUrl, isAuthOff } = signInRules(services);
    if (isAuthOff) throw new AppError("CONFLICT", ["Signing in is turned off on this instance (MILLRACE_AUTH=off)"]);
    const userAgent = headers["user-agent"]?.slice(0, 400) ?? null;
    const begun = await beginDevice(db, { hostName: body.hostName, userAgent, clientAddress, network: networkOf(clientAddress) });
    // Nothing has changed for anyone yet, and anyone may request this.
    auditNothing();
    return {
      deviceCode: begun.deviceCode,
      userCode: begun.userCode,
      verificationUri: `${publicUrl ?? ""}${page}`,
      expirationDate: begun.expiresAt.toISOString(),
      intervalSeconds: devicePauseSeconds,
    };
  },
});

export const fetchDeviceToken = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/device/token",
  summary: "Fetch the token of an approved sign-in",
  description:
    "A user token of the person who approved, valid for 90 days. Any answer but `pending` is the last one for this code. 429 if you ask more " +
    "often than `intervalSeconds`.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "write",
  body: deviceTokenRequest,
  response: deviceToken,
  async handle({ db, body, auditRecord, auditNothing }): Promise<DeviceToken> {
    const fetched = await fetchDevice(db, body.deviceCode);
    auditNothing();
    if (fetched.status !== "approved") return { status: fetched.status, token: null, expirationDate: null };
    const { userId, email, tokenId, name, text, expiresAt } = fetched;
    const who = { principalKind: "session", principalId: `user:${userId}`, principalName: email };
    const after = { via: "device", expiresAt };
    await insertAudit(db, { ...auditRecord({ kind: "token", id: tokenId, name, after }), ...who });
    return { status: "approved", token: text, expirationDate: expiresAt.toISOString() };
  },
});

export const findDeviceSignIn = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/device/:userCode",
  summary: "Read which program waits for an approval",
  description: "For the page on which a person approves, so only with a session. 429 after 10 wrong codes within 15 minutes.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "none",
  params: Type.Object({ userCode: Type.String({ maxLength: 100, description: "As the program shows it; case and hyphens don't matter" }) }),
  response: pendingDevice,
  async handle({ db, params, principal, clientAddress }): Promise<PendingDevice> {
    return viewDevice(await find(db, params.userCode, requireSession(principal), clientAddress));
  },
});

export const decideDeviceSignIn = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/device/decision",
  summary: "Approve or refuse the sign-in of a program",
  description: "If you approve, the program can act as you until its token expires or is revoked. Only with a session, not with a token.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "none",
  body: deviceDecision,
  response: null,
  async handle({ db, body, principal, clientAddress, auditRecord }) {
    const userId = requireSession(principal);
    await find(db, body.userCode, userId, clientAddress);
    const isApproved = body.decision === "approve";
    await transaction(db, async (tx) => {
      const decided = await decideDevice(tx, hashUserCode(body.userCode), isApproved ? userId : undefined);
      if (decided === undefined) throw noSuchCode();
      const { id, hostName, clientAddress: from } = decided;
      const after = { decision: isApproved ? "approved" : "refused", clientAddress: from };
      await insertAudit(tx, auditRecord({ kind: "device-sign-in", id, name: hostName, after }));
    });
  },
});

/** Requires a person in a browser: otherwise a stolen token could be turned into one that lives longer. */
function requireSession(principal: Principal): string {
  if (principal.kind === "session") return requireWholePerson(principal).userId;
  throw new AppError("PERMISSION_DENIED", [
    "a program's sign-in is approved in a browser where you are signed in as a user, not with a token",
  ]);
}

async function find(db: Database, userCode: string, userId: string, clientAddress: string): Promise<DeviceSignInRow> {
  const attempt = await beginUserCode(db, userId, clientAddress);
  const row = await findPendingDevice(db, hashUserCode(userCode));
  if (row === undefined) throw noSuchCode();
  await attempt.succeed(db);
  return row;
}

function noSuchCode(): AppError {
  return new AppError("NOT_FOUND", ["a sign-in with this code: it is wrong, was used or has expired"]);
}

function viewDevice({ hostName, userAgent, clientAddress, createdAt, expiresAt }: DeviceSignInRow): PendingDevice {
  return {
    ...{ hostName, userAgent, address: clientAddress },
    creationDate: createdAt.toISOString(),
    expirationDate: expiresAt.toISOString(),
  };
}

import { oneTimeCode } from "@millrace/contract/identity/sign-in.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { hashPassword } from "../../base/secret/password-hash.ts";
import { SignInRefusal } from "../../base/secret/sign-in-refusal.ts";
import { readEmail } from "../../base/text/email.ts";
import { activateInstance as activate, isCode } from "../../domain/identity/prepare-instance.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { noteSignIn } from "../../store/identity/sign-ins.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { beginSession, giveCookie } from "./sign-in/begin-session.ts";
import { type Attempt, beginActivation } from "./sign-in/limit-attempts.ts";

export const activateInstance = defineEndpoint({
  method: "PUT",
  path: "/api/v2/activate",
  summary: "Activate the instance",
  description:
    "Takes the one-time code of the first start, or a global token instead. Creates the first administrator if `email` and `password` are given. " +
    "Works until the instance is activated; then 409. 429 after 10 wrong codes from one address, or 100 in all, within 15 minutes. The new administrator is signed in: the response sets the session cookie.",
  tag: "System",
  permission: "open",
  transaction: "none",
  changesRights: true,
  body: oneTimeCode,
  bodyOptional: true,
  response: Type.Boolean({ examples: [true] }),
  async handle(context) {
    const { db, body, principal, clientAddress, auditRecord } = context;
    const { activatedAt, oneTimeCodeHash } = await getInstance(db);
    if (activatedAt !== null) refuseActivated(principal.id);
    const { otc, email, password } = body ?? {};
    if (!otc) requireRightToActivate(principal);
    if (!email !== !password) throw new AppError("BAD_REQUEST", ["email and password of the first administrator must be given together"]);
    const attempt = otc ? await checkCode(db, otc, oneTimeCodeHash, clientAddress) : undefined;
    const administrator =
      email && password
        ? { email: requireEmail(email), passwordHash: await hashPassword(password, context.services.passwordCost) }
        : undefined;
    const session = await transaction(db, async (tx) => {
      const userId = await activate(tx, administrator);
      await attempt?.succeed(tx);
      await insertAudit(tx, auditRecord({ kind: "instance", ...(email && { name: email }) }));
      if (userId === undefined || !email) return undefined;
      await noteSignIn(tx, userId);
      return beginSession(tx, context, { userId, email: requireEmail(email), type: "admin", via: "password", isNew: true });
    });
    if (session !== undefined) giveCookie(context, session);
    return true;
  },
});

function requireEmail(text: string): string {
  const email = readEmail(text);
  if (email !== undefined) return email;
  const message = `is ${JSON.stringify(text.slice(0, 80))}; it must be an email address without invisible characters`;
  throw new AppError("VALIDATION_FAILED", [`body /email ${message}`], { details: [{ path: "/email", message }] });
}

/** The first administrator may do everything, so a limited global token can't create one. */
function requireRightToActivate(principal: Principal): void {
  if (principal.kind !== "global") throw new AppError("BAD_REQUEST", ["otc is missing: give the one-time code of the first start"]);
  if (mayDoEverything(principal)) return;
  throw new AppError("PERMISSION_DENIED", ["a global token needs the permission **/** to activate the instance; send otc instead"]);
}

/** Before the costly hashing of the password. */
async function checkCode(db: Database, text: string, hash: Buffer | null, clientAddress: string): Promise<Attempt> {
  const attempt = await beginActivation(db, clientAddress);
  if (!isCode(text, hash)) {
    const failed = { way: "activation", why: "wrong-code" } as const;
    throw new SignInRefusal(failed, "BAD_REQUEST", ["otc is not the one-time code of this instance"]);
  }
  return attempt;
}

function refuseActivated(principalId: string): never {
  if (principalId === "anonymous") throw new AppError("UNAUTHENTICATED", ["the instance is already activated"]);
  throw new AppError("CONFLICT", ["This instance is already activated"]);
}

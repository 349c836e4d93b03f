import type { UserType } from "@millrace/contract/identity/user.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { hashToken, newTokenText, sessionCookie } from "../../../base/secret/token-text.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { insertSession } from "../../../store/identity/sessions.ts";
import { deleteToken } from "../../../store/identity/tokens.ts";
import { getInstance } from "../../../store/settings/instance.ts";
import type { Context, Services, SignInRules } from "../../endpoint.ts";

type Caller = Pick<
  Context<unknown, unknown, unknown, unknown>,
  "services" | "clientAddress" | "headers" | "auditRecord" | "principal" | "cookies"
>;

interface SignedIn {
  userId: string;
  email: string;
  /** The current type: the configuration may just have made the user an administrator. */
  type: UserType;
  via: "password" | "oidc";
  isNew: boolean;
}

/**
 * The row of a new session and the record of the sign-in, in the caller's transaction. A session that the browser still has ends, because
 * it would only be left over. Returns the text for `giveCookie`, to be called after the commit.
 */
export async function beginSession(db: Queryable, caller: Caller, { userId, email, type, via, isNew }: SignedIn): Promise<string> {
  const { services, clientAddress, headers, auditRecord, principal } = caller;
  const { sessionSeconds, idleSeconds } = signInRules(services);
  const text = newTokenText("mrs_");
  const userAgent = headers["user-agent"]?.slice(0, 400) ?? null;
  const createdBy = `user:${userId}`;
  const times = { lifetimeSeconds: sessionSeconds, idleSeconds };
  const { id } = await insertSession(db, { hash: hashToken(text), userId, createdBy, ...times, clientAddress, userAgent });
  if (principal.kind === "session" && principal.tokenId !== undefined) await deleteToken(db, principal.tokenId);
  const who = { principalKind: "session", principalId: createdBy, principalName: email, tokenId: id };
  await insertAudit(db, {
    ...auditRecord({ kind: "session", id, name: email }),
    ...who,
    after: { via, clientAddress, type, isNewUser: isNew },
  });
  return text;
}

export function giveCookie({ cookies, services }: Pick<Caller, "cookies" | "services">, text: string): void {
  cookies().write(sessionCookie, text, signInRules(services).sessionSeconds);
}

/** Nobody can sign in to an instance that has not been activated yet. */
export async function requireActivated(db: Queryable): Promise<void> {
  if ((await getInstance(db)).activatedAt === null) throw new AppError("NOT_ACTIVATED");
}

const hourSeconds = 3600;

const defaults: SignInRules = {
  sessionSeconds: 24 * hourSeconds,
  idleSeconds: 8 * hourSeconds,
  administrators: [],
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};

export function signInRules({ signIn }: Services): SignInRules {
  return signIn ?? defaults;
}

import { maxReturnPath } from "@millrace/contract/identity/return-path.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { SignInRefusal } from "../../../base/secret/sign-in-refusal.ts";
import { hashToken } from "../../../base/secret/token-text.ts";
import { cleanName } from "../../../base/text/clean-name.ts";
import { readEmail } from "../../../base/text/email.ts";
import { type Admission, admitPerson, type ProvenPerson } from "../../../domain/identity/admit-person.ts";
import type { IdentityProvider, ProvenIdentity } from "../../../integrations/sign-in/identity-provider.ts";
import { readClock } from "../../../store/database/clock.ts";
import type { Database } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { useState } from "../../../store/identity/identities.ts";
import { defineEndpoint, reply, type Services, type SignInRules } from "../../endpoint.ts";
import { beginSession, giveCookie, requireActivated, signInRules } from "./begin-session.ts";
import { answerBrowser, type Pending, pendingSeconds, readReturnPath, takePending, writePending } from "./pending-sign-in.ts";

export const startOidc = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/oidc/start",
  summary: "Sign in with OpenID Connect",
  description:
    "Redirects the browser to the identity provider, which has to redirect it back to `/api/v2/auth/oidc/callback` within 10 minutes. 409 if none is configured, " +
    "503 while it does not respond.",
  tag: "Sign-in",
  permission: "open",
  transaction: "none",
  redirects: true,
  query: Type.Object({
    returnTo: Type.Optional(
      Type.String({
        maxLength: maxReturnPath,
        description: "Path of this service to open after sign-in; default /",
        examples: ["/hawks/workflows"],
      }),
    ),
  }),
  response: null,
  async handle({ db, query, services, cookies, keyring, headers }) {
    return answerBrowser(headers, async () => {
      const { provider, redirectUri } = requireIdentityProvider(services);
      const returnTo = readReturnPath(query.returnTo);
      await requireActivated(db);
      const { url, pending } = await provider.start(redirectUri);
      const until = (await readClock(db)).getTime() + pendingSeconds * 1000;
      writePending(cookies(), keyring, { ...pending, returnTo, until });
      return reply({ status: 302, headers: { location: url } });
    });
  },
});

/** Parameters that an issuer adds to the address; passed on unchanged for the library to check. */
const parameters = ["code", "state", "iss", "error", "error_description", "error_uri", "session_state"] as const;
const text = Type.Optional(Type.String({ maxLength: 8000, description: "Sent by the identity provider" }));

export const finishOidc = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/oidc/callback",
  summary: "Finish signing in with OpenID Connect",
  description:
    "Starts a session for the person whom the provider identifies by issuer and subject, and redirects the browser. The first sign-in creates the user. An invited user with a verified address becomes active; " +
    "a deactivated user is refused, and so is another subject with the address of an existing user, until an administrator accepts it. Works once, within 10 minutes, in the browser that started it.",
  tag: "Sign-in",
  permission: "open",
  transaction: "none",
  changesRights: true,
  redirects: true,
  query: Type.Object(Object.fromEntries(parameters.map((name) => [name, text])) as Record<(typeof parameters)[number], typeof text>),
  response: null,
  async handle(context) {
    const { db, query, services, cookies, keyring, headers } = context;
    return answerBrowser(headers, async () => {
      const { provider, redirectUri } = requireIdentityProvider(services);
      await requireActivated(db);
      const pending = takePending(cookies(), keyring, (await readClock(db)).getTime());
      if (pending === undefined)
        throw refusal(
          "not-begun-here",
          "UNAUTHENTICATED",
          "no sign-in was started in this browser, or it took longer than 10 minutes; sign in again",
        );
      await useOnce(db, pending);
      const identity = await provider.finish(toCallbackUrl(redirectUri, query), pending).catch(asRefusal);
      const person = toPerson(identity, signInRules(services));
      // A refusal writes as well: that another person came with that address.
      const admitted = await transaction(db, async (tx) => {
        const admission = await admitPerson(tx, person);
        if (admission.outcome !== "in") return admission;
        const { id, ...user } = admission.user;
        return { outcome: "in", session: await beginSession(tx, context, { userId: id, ...user, via: "oidc" }) } as const;
      });
      if (admitted.outcome !== "in") throw toRefusal(admitted);
      giveCookie(context, admitted.session);
      return reply({ status: 302, headers: { location: readReturnPath(pending.returnTo) } });
    });
  },
});

/** A copied or reused cookie signs in nobody. Checked before the provider is called, so that it is called only once. */
async function useOnce(db: Database, { state, until }: Pending): Promise<void> {
  if (await useState(db, hashToken(`sign-in ${state}`), until)) return;
  throw refusal("used-before", "UNAUTHENTICATED", "this sign-in was already used; sign in again");
}

function toCallbackUrl(redirectUri: string, query: Partial<Record<(typeof parameters)[number], string>>): URL {
  const url = new URL(redirectUri);
  for (const name of parameters) if (query[name] !== undefined) url.searchParams.set(name, query[name]);
  return url;
}

function toPerson(identity: ProvenIdentity, { administrators, emailDomains, trustsEmails }: SignInRules): ProvenPerson {
  const { issuer, subject, email: given, isEmailVerified: isSaidVerified, name } = identity;
  if (given === undefined) {
    throw refusal("no-address", "PERMISSION_DENIED", "the identity provider sent no email address; the client needs the scope email");
  }
  const email = readEmail(given);
  if (email === undefined) {
    const message = `the identity provider sent ${JSON.stringify(given.slice(0, 100))}, which is not a valid email address (docs/sign-in.md)`;
    throw refusal("no-address", "PERMISSION_DENIED", message);
  }
  if (isSaidVerified === false) {
    throw refusal("unverified-address", "PERMISSION_DENIED", `the identity provider has not verified the address ${email}`);
  }
  const isEmailVerified = isSaidVerified ?? trustsEmails;
  if (emailDomains.length > 0) checkDomain(email, isEmailVerified, emailDomains);
  // The highest right requires the provider's own confirmation.
  const isAdministrator = isSaidVerified === true && administrators.includes(email);
  return { issuer, subject, email, isEmailVerified, name: name && cleanName(name), isAdministrator };
}

/** Anyone can claim an unverified address in any domain. */
function checkDomain(email: string, isVerified: boolean, domains: readonly string[]): void {
  if (!domains.includes(email.slice(email.lastIndexOf("@") + 1))) {
    throw refusal("other-domain", "PERMISSION_DENIED", `the domain of ${email} is not allowed on this instance`);
  }
  if (isVerified) return;
  const message = `the identity provider does not say that ${email} is verified (email_verified), which MILLRACE_OIDC_DOMAINS needs; ${trustHint}`;
  throw refusal("unverified-address", "PERMISSION_DENIED", message);
}

const trustHint = "MILLRACE_OIDC_TRUST_EMAILS=true accepts its addresses as verified (docs/sign-in.md)";

function toRefusal({ outcome, email }: Exclude<Admission, { outcome: "in" }>): AppError {
  const why = {
    inactive: `the account of ${email} is not active; ask an administrator`,
    "other-subject": `${email} belongs to another account at the identity provider; an administrator can accept yours (Administration, Users)`,
    "unverified-new-user": `the identity provider does not say that ${email} is verified (email_verified), so Millrace can't know that it is yours; ${trustHint}`,
    "unverified-address": `a user ${email} exists, and the identity provider does not say that your address is verified; an administrator can accept your account (Administration, Users)`,
  }[outcome];
  return refusal(outcome, "PERMISSION_DENIED", why, email);
}

function refusal(why: string, reason: "UNAUTHENTICATED" | "PERMISSION_DENIED", message: string, account?: string): SignInRefusal {
  return new SignInRefusal({ way: "oidc", why, account }, reason, [message]);
}

/** Maps a bad response of the provider to a refusal. An unreachable provider is not a failed sign-in. */
function asRefusal(error: unknown): never {
  if (!(error instanceof AppError) || error.reason !== "UNAUTHENTICATED") throw error;
  throw new SignInRefusal({ way: "oidc", why: "provider-answer" }, "UNAUTHENTICATED", error.values, { cause: error.cause });
}

/** With the redirect address that is registered with it. */
function requireIdentityProvider(services: Services): { provider: IdentityProvider; redirectUri: string } {
  const { identityProvider: provider, publicUrl } = signInRules(services);
  if (provider === undefined || publicUrl === undefined) {
    throw new AppError("INTEGRATION_NOT_CONFIGURED", ["OpenID Connect", "set MILLRACE_OIDC_ISSUER; see docs/sign-in.md"]);
  }
  return { provider, redirectUri: `${publicUrl}/api/v2/auth/oidc/callback` };
}

import Type from "typebox";
import { AppError } from "../../base/app-error.ts";
import { isEmail } from "../../base/email.ts";
import type { ProvenIdentity } from "../../integrations/identity-provider.ts";
import { readClock } from "../../store/clock.ts";
import { letVisitorIn, type Visitor } from "../../store/sign-ins.ts";
import { transaction } from "../../store/transaction.ts";
import { defineEndpoint, reply, type SignInRules } from "../endpoint.ts";
import { answerBrowser } from "./answer-browser.ts";
import { beginSession, giveCookie, requireActivated } from "./begin-session.ts";
import { takePending } from "./pending-cookie.ts";
import { requireIdentityProvider } from "./require-identity-provider.ts";
import { readReturnPath } from "./return-path.ts";
import { signInRules } from "./sign-in-rules.ts";

/** What an issuer adds to the address; passed on as it came, for the library to check. */
const parameters = ["code", "state", "iss", "error", "error_description", "error_uri", "session_state"] as const;
const text = Type.Optional(Type.String({ maxLength: 8000, description: "As the provider sends it" }));

export const finishOidc = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/oidc/callback",
  summary: "Come back from the identity provider",
  description:
    "Begins a session for the person whom the provider names, and sends the browser on. The user is made at first sight; one who was invited becomes active, " +
    "one who was deactivated is refused. Good only in the browser that began, once, for ten minutes.",
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
      const pending = takePending(cookies, keyring, (await readClock(db)).getTime());
      if (pending === undefined)
        throw new AppError("UNAUTHENTICATED", [
          "no sign-in is under way in this browser, or it took longer than ten minutes; sign in again",
        ]);
      const identity = await provider.finish(toCallbackUrl(redirectUri, query), pending);
      const visitor = toVisitor(identity, signInRules(services));
      const session = await transaction(db, async (tx) => {
        const user = await letVisitorIn(tx, visitor);
        if (user.status !== "active")
          throw new AppError("PERMISSION_DENIED", [`the account of ${user.email} is not active; ask an administrator`]);
        return beginSession(tx, context, { userId: user.id, email: user.email, type: user.type, via: "oidc", isNew: user.isNew });
      });
      giveCookie(context, session);
      return reply({ status: 302, headers: { location: readReturnPath(pending.returnTo) } });
    });
  },
});

function toCallbackUrl(redirectUri: string, query: Partial<Record<(typeof parameters)[number], string>>): URL {
  const url = new URL(redirectUri);
  for (const name of parameters) if (query[name] !== undefined) url.searchParams.set(name, query[name]);
  return url;
}

function toVisitor({ email, isEmailVerified, name }: ProvenIdentity, { administrators, emailDomains }: SignInRules): Visitor {
  if (email === undefined) {
    throw new AppError("PERMISSION_DENIED", ["the identity provider gave no e-mail address; the client needs the scope email"]);
  }
  if (!isEmail(email)) {
    const message = `the identity provider gave ${JSON.stringify(email.slice(0, 100))}, which is no e-mail address as they are taken here (docs/sign-in.md)`;
    throw new AppError("PERMISSION_DENIED", [message]);
  }
  if (isEmailVerified === false) {
    throw new AppError("PERMISSION_DENIED", [`the identity provider has not verified the address ${email}`]);
  }
  const lower = email.toLowerCase();
  if (emailDomains.length > 0 && !emailDomains.includes(lower.slice(lower.lastIndexOf("@") + 1))) {
    throw new AppError("PERMISSION_DENIED", [`addresses like ${email} are not let in here`]);
  }
  return { email: lower, name: name?.slice(0, 400), isAdministrator: administrators.includes(lower) };
}

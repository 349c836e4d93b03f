import { AppError } from "../../../base/error/app-error.ts";
import { sessionCookie } from "../../../base/secret/session-cookie.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { signInRules } from "./sign-in-rules.ts";

/**
 * A browser that was given a token keeps it where no script can read it: in the cookie of the session. The token stays what it is:
 * revoking it ends what the browser may do, signing out only removes the cookie.
 */
export const signInWithToken = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/token",
  summary: "Sign in to the user interface with an access token",
  description:
    "Stores the token of `Authorization: Bearer TOKEN` in the session cookie, for the lifetime of a session. As with every cookie, writes must come from a page of the same origin.",
  tag: "Sign-in",
  permission: "signed-in",
  keepsToWorkflow: true,
  sameOriginOnly: true,
  transaction: "write",
  response: null,
  async handle({ principal, headers, cookies, services, audit }) {
    const token = /^Bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1];
    if (token === undefined) throw new AppError("BAD_REQUEST", ["send the token as Authorization: Bearer TOKEN"]);
    // Nor the word of a proxy with somebody else's bearer token beside it: what is kept in the cookie must be what let the caller in.
    if (principal.kind === "session") throw new AppError("BAD_REQUEST", ["the credential is a session, not an access token"]);
    cookies.write(sessionCookie, token, signInRules(services).sessionSeconds);
    audit({ kind: "token", id: principal.tokenId ?? principal.id, name: principal.name, after: { via: "token" } });
  },
});

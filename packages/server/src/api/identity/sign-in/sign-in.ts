import { type Caller, caller, type SignInMethods, signInMethodsAnswer } from "@millrace/contract/identity/sign-in.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { sessionCookie } from "../../../base/secret/token-text.ts";
import { hasPasswords } from "../../../store/identity/passwords.ts";
import { listTeamNames } from "../../../store/team/directory.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { loadPlatform } from "../../navigation/platform.view.ts";
import { signInRules } from "./begin-session.ts";

export const listMethods = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/methods",
  summary: "List the ways to sign in",
  tag: "Sign-in",
  permission: "open",
  transaction: "read",
  response: signInMethodsAnswer,
  async handle({ db, services }): Promise<SignInMethods> {
    const { identityProvider, isProxyOn, isAuthOff } = signInRules(services);
    if (isAuthOff) return { auth: "off", methods: [] };
    const methods: SignInMethods["methods"] = [];
    if (identityProvider !== undefined) methods.push({ type: "oidc", url: "/api/v2/auth/oidc/start" });
    if (await hasPasswords(db)) methods.push({ type: "password", url: "/api/v2/auth/password" });
    if (isProxyOn) methods.push({ type: "proxy", url: null });
    return { auth: "on", methods };
  },
});

/**
 * Stores a browser's token where scripts can't read it: in the session cookie. The token itself is unchanged: revoking it ends the
 * browser's access, signing out only removes the cookie.
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
    // Nor a proxy's identity combined with another bearer token: the cookie must contain exactly the credential that admitted the caller.
    if (principal.kind === "session") throw new AppError("BAD_REQUEST", ["the credential is a session, not an access token"]);
    cookies().write(sessionCookie, token, signInRules(services).sessionSeconds);
    audit({ kind: "token", id: principal.tokenId ?? principal.id, name: principal.name, after: { via: "token" } });
  },
});

export const getCaller = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/caller",
  summary: "Read who you are and what you can do",
  description: "Works with every kind of credential, including tokens that belong to no user and have no profile.",
  tag: "Sign-in",
  permission: "signed-in",
  keepsToWorkflow: true,
  transaction: "read",
  response: caller,
  async handle({ db, principal, services }): Promise<Caller> {
    const { kind, id, name, email, userId, expiresAt, permissions, teams } = principal;
    const named = await listTeamNames(db, [...teams.keys()]);
    return {
      kind: kind === "integration" ? "global" : kind,
      id,
      name,
      email: email ?? null,
      userId: userId ?? null,
      expirationDate: expiresAt ?? null,
      permissions,
      teams: named.map((team) => ({ ...team, permissions: teams.get(team.id) ?? [] })),
      platform: await loadPlatform(db, services),
    };
  },
});

import { type SignInMethods, signInMethodsAnswer } from "@millrace/contract/sign-in.ts";
import { hasPasswords } from "../../../store/identity/passwords.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { signInRules } from "./sign-in-rules.ts";

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

import { maxReturnPath } from "@millrace/contract/return-path.ts";
import Type from "typebox";
import { readClock } from "../../../store/database/clock.ts";
import { defineEndpoint, reply } from "../../endpoint.ts";
import { answerBrowser } from "./answer-browser.ts";
import { requireActivated } from "./begin-session.ts";
import { pendingSeconds, writePending } from "./pending-cookie.ts";
import { requireIdentityProvider } from "./require-identity-provider.ts";
import { readReturnPath } from "./return-path.ts";

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
      writePending(cookies, keyring, { ...pending, returnTo, until });
      return reply({ status: 302, headers: { location: url } });
    });
  },
});

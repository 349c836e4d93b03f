import { expect, test } from "vitest";
import { type Claims, type ForgingIssuer, forgingIssuer } from "../../../../test/fakes/forging-issuer.ts";
import { testApp } from "../../../../test/kit/app.ts";
import { cookiesOf } from "../../../../test/kit/cookie-jar.ts";
import { createOidcProvider } from "../../../integrations/sign-in/oidc-provider.ts";

/** Broken responses of a provider, besides those with ID tokens. */
const publicUrl = "https://millrace.example.com";
const issuer = await forgingIssuer();
const rules = { publicUrl, sessionSeconds: 3600, idleSeconds: 600, administrators: [], emailDomains: [], trustsEmails: false };
const { sql, address } = await testApp();
const metadataPath = "/.well-known/openid-configuration";

/** Like an instance that has not contacted the provider yet. */
async function newBrowser() {
  const { url, clientId, clientSecret } = issuer;
  const identityProvider = createOidcProvider({ issuer: url, clientId, clientSecret, scopes: "openid email profile" });
  const signIn = { ...rules, isProxyOn: false, isAuthOff: false, identityProvider };
  return (await testApp({ beside: { sql, address }, config: { publicUrl }, services: { signIn } })).as(null);
}

async function signIn(change: Partial<Pick<ForgingIssuer, "bodies" | "endless" | "userinfo">>) {
  Object.assign(issuer, { bodies: new Map(), endless: undefined, userinfo: undefined }, change);
  const browser = await newBrowser();
  const start = await browser.get("/api/v2/auth/oidc/start");
  if (start.status !== 302) return { start };
  const back = new URL(issuer.visit(String(start.headers["location"])));
  return { start, callback: await browser.get(back.pathname + back.search, { cookie: cookiesOf(start) }) };
}

const away = { status: 503, body: { reason: "NOT_READY", message: expect.stringContaining("identity provider") } };

test.each<[string, (right: Claims) => unknown]>([
  ["names no address to sign in at", (right) => ({ ...right, authorization_endpoint: undefined })],
  ["names one that is not text", (right) => ({ ...right, authorization_endpoint: 7 })],
  ["names one that is none", (right) => ({ ...right, authorization_endpoint: "no address" })],
  ["names one that is a script", (right) => ({ ...right, authorization_endpoint: "javascript:alert(1)" })],
  ["is of another issuer", (right) => ({ ...right, issuer: "https://other.example.com" })],
  ["is a list", () => []],
])("a provider whose description %s is reported as away, and nobody's sign-in has failed", async (_, change) => {
  const { start } = await signIn({ bodies: new Map([[metadataPath, change]]) });
  expect(start).toMatchObject(away);
});

test.each([
  { path: metadataPath, asked: "start" as const },
  { path: "/token", asked: "callback" as const },
  { path: "/jwks", asked: "callback" as const },
  { path: "/userinfo", asked: "callback" as const },
])("a response at $path that does not end is not read beyond its bound", async ({ path, asked }) => {
  const answers = await signIn({ endless: path, userinfo: { sub: "subject", email: "ada@example.com", email_verified: true } });
  expect(answers[asked]).toMatchObject(away);
  expect(answers[asked]?.body.message).toContain("larger than 1048576 bytes");
});

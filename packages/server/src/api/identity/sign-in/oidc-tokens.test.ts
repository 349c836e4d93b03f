import { expect, test } from "vitest";
import { type Claims, type ForgingIssuer, forgingIssuer, newKeys, signToken } from "../../../../test/fakes/forging-issuer.ts";
import { testApp } from "../../../../test/kit/app.ts";
import { cookiesOf } from "../../../../test/kit/cookie-jar.ts";
import { createOidcProvider } from "../../../integrations/sign-in/oidc-provider.ts";

const publicUrl = "https://millrace.example.com";
const issuer = await forgingIssuer();
const { url, clientId, clientSecret } = issuer;
const identityProvider = createOidcProvider({ issuer: url, clientId, clientSecret, scopes: "openid email profile" });
const rules = {
  publicUrl,
  sessionSeconds: 3600,
  idleSeconds: 600,
  administrators: [],
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};
const app = await testApp({ config: { publicUrl }, services: { signIn: { ...rules, identityProvider } } });
const browser = app.as(null);

async function signIn(idToken: ForgingIssuer["idToken"]) {
  issuer.idToken = idToken;
  const start = await browser.get("/api/v2/auth/oidc/start");
  const back = new URL(issuer.visit(String(start.headers["location"])));
  return browser.get(back.pathname + back.search, { cookie: cookiesOf(start) });
}

const person = { email: "ada@example.com", email_verified: true };
const header = { alg: "RS256", kid: "published" };
const right = (claims: Claims, { privateKey }: ForgingIssuer) => signToken(header, { ...claims, ...person }, privateKey);
const withClaims =
  (changed: Claims) =>
  (claims: Claims, { privateKey }: ForgingIssuer) =>
    signToken(header, { ...claims, ...person, ...changed }, privateKey);

test("an ID token of the issuer's own key signs someone in", async () => {
  const answer = await signIn(right);
  expect(answer.status, answer.text).toBe(302);
  expect((await browser.get("/api/v2/profile", { cookie: cookiesOf(answer) })).body.email).toBe("ada@example.com");
});

const other = newKeys();
const pem = issuer.publicKey.export({ type: "spki", format: "pem" }).toString();
const seconds = Math.floor(Date.now() / 1000);

test.each<[string, ForgingIssuer["idToken"]]>([
  ["is signed with another key under the name of the right one", (claims) => signToken(header, { ...claims, ...person }, other.privateKey)],
  [
    "is signed with a key that nobody published",
    (claims) => signToken({ ...header, kid: "unpublished" }, { ...claims, ...person }, other.privateKey),
  ],
  [
    "brings its own key",
    (claims) => {
      const jwk = other.publicKey.export({ format: "jwk" });
      return signToken({ alg: "RS256", jwk, jku: `${url}/jwks` }, { ...claims, ...person }, other.privateKey);
    },
  ],
  [
    "was changed after it was signed",
    (claims, { privateKey }) => {
      const [head, , signature] = signToken(header, { ...claims, ...person }, privateKey).split(".");
      return [head, Buffer.from(JSON.stringify({ ...claims, ...person, sub: "boss" })).toString("base64url"), signature].join(".");
    },
  ],
  [
    "has the signature of another token",
    (claims, i) =>
      `${right({ ...claims, sub: "boss" }, i)
        .split(".")
        .slice(0, 2)
        .join(".")}.${right(claims, i).split(".")[2]}`,
  ],
  ["has an empty signature", (claims, i) => right(claims, i).replace(/[^.]*$/, "")],
  ["is not signed at all", (claims, i) => signToken({ alg: "none" }, { ...claims, ...person }, i.privateKey).replace(/[^.]*$/, "")],
  [
    "says that it is not signed, with a signature",
    (claims, i) => signToken({ ...header, alg: "none" }, { ...claims, ...person }, i.privateKey),
  ],
  ["is signed with our own secret", (claims) => signToken({ ...header, alg: "HS256" }, { ...claims, ...person }, clientSecret)],
  ["is signed with the public key as a secret", (claims) => signToken({ ...header, alg: "HS256" }, { ...claims, ...person }, pem)],
  ["is of another issuer", withClaims({ iss: "https://other.example.com" })],
  ["is for another client", withClaims({ aud: "another" })],
  ["is for several clients, of whom another asked", withClaims({ aud: ["another", clientId], azp: "another" })],
  ["has another nonce", withClaims({ nonce: "x".repeat(43) })],
  ["has no nonce", withClaims({ nonce: undefined })],
  ["has expired", withClaims({ iat: seconds - 3600, exp: seconds - 1800 })],
  ["never expires", withClaims({ exp: undefined })],
  ["is not valid yet", withClaims({ nbf: seconds + 3600 })],
  ["names nobody", withClaims({ sub: "" })],
  ["names someone by what is not text", withClaims({ sub: "ada\ud800" })],
  ["names someone with a control character", withClaims({ sub: "ada\u0000" })],
  ["is not a token", () => "nothing"],
])("nobody is signed in when the ID token %s", async (_, idToken) => {
  const before = await app.sql`select id from app_user`;
  const answer = await signIn(idToken);
  expect(answer, answer.text).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
  expect(cookiesOf(answer)).toBe("");
  expect(await app.sql`select id from app_user`).toHaveLength(before.length);
});

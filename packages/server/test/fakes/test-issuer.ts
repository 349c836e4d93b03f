import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { afterAll } from "vitest";

/** A real identity provider on loopback, which signs everyone in as the person that the test has set. */
export interface TestIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Claims of the next person to sign in. */
  person: Record<string, unknown>;
  /** Follows the provider's pages as a browser would, and returns the URL of the final redirect. */
  visit(url: string): Promise<string>;
}

export interface TestIssuerOptions {
  /** The redirect URI for browsers. */
  redirectUri: string;
  /** Puts all claims in the ID token, or, as the standard says for this flow, only at the userinfo endpoint. */
  isUserinfoOnly?: boolean;
  /** Any free one when left out. */
  port?: number;
}

const clientId = "millrace";
const clientSecret = "a-secret-of-the-tests-that-is-long-enough";

export async function testIssuer({ redirectUri, isUserinfoOnly = false, port = 0 }: TestIssuerOptions): Promise<TestIssuer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = { url, clientId, clientSecret, person: {}, visit: (start) => visit(start, url) };
  const provider = makeProvider(issuer, redirectUri, isUserinfoOnly);
  const answer = provider.callback();
  handle = (request, response) => {
    const isLogin = request.url?.startsWith("/interaction/") === true;
    if (isLogin) void provider.interactionFinished(request, response, { login: { accountId: String(issuer.person["sub"] ?? "someone") } });
    else void answer(request, response);
  };
  return issuer;
}

function makeProvider(issuer: TestIssuer, redirectUri: string, isUserinfoOnly: boolean): Provider {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] };
  const provider: Provider = new Provider(issuer.url, {
    clients: [{ ...client, grant_types: ["authorization_code"], response_types: ["code"] }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "test", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key of the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: isUserinfoOnly,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ ...issuer.person, sub: accountId }) }),
    loadExistingGrant: async (context: { oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider } }) => {
      const grant = new provider.Grant({ clientId: context.oidc.client.clientId, accountId: context.oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  return provider;
}

async function visit(start: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the issuer answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    url = new URL(location, url).href;
    if (!url.startsWith(issuer)) return url;
  }
  throw new Error(`the issuer sent the browser around: ${url}`);
}

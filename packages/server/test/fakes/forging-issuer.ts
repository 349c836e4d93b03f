import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll } from "vitest";

/**
 * An identity provider on loopback that speaks OpenID Connect and returns whatever ID token the test has built: tokens that a real provider
 * never sends, but that an attacker between the service and the provider could.
 */
export interface ForgingIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  /** The private key whose public part is in the published set, with the ID `published`. */
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Builds the ID token of the next sign-in from the content of a valid one. */
  idToken(claims: Claims, issuer: ForgingIssuer): string;
  /** The response of the userinfo endpoint; undefined: the endpoint does not exist. */
  userinfo: Claims | undefined;
  /** Bodies that are sent instead of the right ones, by path. */
  bodies: Map<string, (right: Claims) => unknown>;
  /** A path whose body never ends. */
  endless: string | undefined;
  /** Returns the URL to which the browser is sent back. */
  visit(url: string): string;
}

export type Claims = Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** @param key for RS256, or the shared secret of HS256 */
export function signToken(header: Claims, claims: Claims, key: KeyObject | string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = typeof key === "string" ? createHmac("sha256", key).update(text).digest() : sign("sha256", Buffer.from(text), key);
  return `${text}.${signature.toString("base64url")}`;
}

export const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

export async function forgingIssuer(): Promise<ForgingIssuer> {
  const keys = newKeys();
  let nonce: string | null = null;
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: ForgingIssuer = {
    url,
    clientId: "millrace",
    clientSecret: "a-secret-of-the-tests-that-is-long-enough",
    ...keys,
    idToken: (claims, { privateKey }) => signToken({ alg: "RS256", kid: "published" }, claims, privateKey),
    userinfo: undefined,
    bodies: new Map(),
    endless: undefined,
    visit(start) {
      const there = new URL(start);
      nonce = there.searchParams.get("nonce");
      const back = new URL(String(there.searchParams.get("redirect_uri")));
      for (const [name, value] of Object.entries({ code: "a-code", state: String(there.searchParams.get("state")), iss: url }))
        back.searchParams.set(name, value);
      return back.href;
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = String(request.url);
    const right = bodyFor(path);
    response.writeHead(right === undefined ? 404 : 200, { "content-type": "application/json" });
    if (path === issuer.endless) Readable.from(endlessText()).pipe(response);
    else response.end(JSON.stringify(issuer.bodies.get(path)?.(right as Claims) ?? right ?? {}));
  }

  function bodyFor(path: string): unknown {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: issuer.clientId, sub: "subject", nonce, iat: seconds, exp: seconds + 60 };
    if (path === "/jwks") return { keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "published", use: "sig", alg: "RS256" }] };
    if (path === "/token") return { access_token: "access", token_type: "Bearer", id_token: issuer.idToken(claims, issuer) };
    if (path === "/userinfo") return issuer.userinfo;
    if (path === "/.well-known/openid-configuration") return metadata(url, issuer.userinfo !== undefined);
    return undefined;
  }
  return issuer;
}

function* endlessText(): Generator<string> {
  yield '{"text":"';
  for (;;) yield "x".repeat(65_536);
}

function metadata(url: string, hasUserinfo: boolean) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    ...(hasUserinfo && { userinfo_endpoint: `${url}/userinfo` }),
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    // A careless issuer claims to sign with all of them; which one is accepted must not depend on that claim.
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
  };
}

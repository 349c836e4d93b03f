import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { AppError } from "../../base/error/app-error.ts";
import type { IdentityProvider, PendingSignIn, ProvenIdentity } from "./identity-provider.ts";

/**
 * OpenID Connect, authorization code flow with PKCE. The issuer's metadata is read at the first sign-in, not at the start of the service,
 * and again after an hour, so that neither an unreachable nor a changed issuer needs a restart. Issuer, audience, expiry, nonce and state
 * are checked by the library, and so is the signature of the ID token, with the keys that the issuer publishes: the library skips that by
 * default, because TLS authenticates the token endpoint, but proxies, and issuers on plain loopback, may be in between.
 */
interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Without it the client is public and only proves itself by PKCE. */
  clientSecret: string | undefined;
  /** Separated by blanks. */
  scopes: string;
}

type Claims = Record<string, unknown>;

const timeoutSeconds = 10;
/** OpenID Connect Core, 2: at most 255 characters; no issuer uses a longer subject. */
const maxSubject = 255;
const discoveryFreshMs = 3_600_000;

/** @param nowMs a monotonic clock; tests pass their own */
export function createOidcProvider(settings: OidcSettings, nowMs = () => performance.now()): IdentityProvider {
  const discover = createDiscovery(settings, nowMs);
  return {
    async start(redirectUri) {
      const pending = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const parameters = {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
      };
      return { url: authorizationUrl(await discover(), parameters, settings.issuer), pending };
    },
    async finish(callbackUrl, pending) {
      const configuration = await discover();
      try {
        return await redeem(configuration, callbackUrl, pending);
      } catch (error) {
        throw toOidcRefusal(error, settings.issuer);
      }
    },
  };
}

/** One discovery at a time, kept while it is fresh; a failed one is not kept. */
function createDiscovery(settings: OidcSettings, nowMs: () => number): () => Promise<Configuration> {
  let known: { configuration: Promise<Configuration>; until: number } | undefined;
  return () => {
    if (known !== undefined && known.until > nowMs()) return known.configuration;
    const configuration = discoverIssuer(settings);
    const mine = { configuration, until: nowMs() + discoveryFreshMs };
    known = mine;
    configuration.catch(() => {
      if (known === mine) known = undefined;
    });
    return configuration;
  };
}

async function discoverIssuer({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const url = new URL(issuer);
  // The settings allow plain HTTP for loopback only.
  const execute = [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])];
  const options = { timeout: timeoutSeconds, execute, [customFetch]: fetchBounded };
  try {
    return await discovery(url, clientId, clientSecret, clientSecret === undefined ? None() : undefined, options);
  } catch (error) {
    // Whatever it is, it is not the browser's fault.
    throw away(error, issuer);
  }
}

/** Discovery accepts any metadata with the name of the issuer; the URLs in them are checked here. */
function authorizationUrl(configuration: Configuration, parameters: Record<string, string>, issuer: string): string {
  try {
    return buildAuthorizationUrl(configuration, parameters).href;
  } catch (error) {
    throw away(error, issuer);
  }
}

/** Many times larger than real responses. */
const maxResponseBytes = 1_048_576;

/** The library reads a response of any size into memory, and gigabytes can arrive within its ten seconds. */
const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxResponseBytes) controller.error(new Error(`its response is larger than ${maxResponseBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
};

/** Many issuers put only the subject into the ID token; then the rest is requested. */
async function redeem(configuration: Configuration, callbackUrl: URL, pending: PendingSignIn): Promise<ProvenIdentity> {
  const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    pkceCodeVerifier: pending.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("the response has no ID token");
  const { iss: issuer, sub: subject } = claims;
  // Text that can't be stored unchanged could become another subject, which may belong to someone else.
  if (subject === "" || subject.length > maxSubject || /[\p{Cc}\p{Cs}]/u.test(subject)) {
    throw new AppError("UNAUTHENTICATED", [
      `the identity provider sent no valid subject: it must be text of 1 to ${maxSubject} characters without control characters`,
    ]);
  }
  const isAsking = typeof claims["email"] !== "string" && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const told = isAsking ? await fetchUserInfo(configuration, tokens.access_token, subject) : claims;
  return { issuer, subject, ...readPerson(claims, told) };
}

/**
 * @param told the source of the email address: the address and whether it is verified must come from one source, or one could vouch for the
 * other
 */
function readPerson(claims: Claims, told: Claims): Omit<ProvenIdentity, "issuer" | "subject"> {
  const text = (name: string) =>
    [told[name], claims[name]].find((value) => typeof value === "string" && value.trim() !== "") as string | undefined;
  const parts = [text("given_name"), text("family_name")].filter((part) => part !== undefined);
  const email = told["email"];
  const verified = told["email_verified"];
  return {
    email: typeof email === "string" && email.trim() !== "" ? email.trim() : undefined,
    isEmailVerified: verified === undefined ? undefined : verified === true || verified === "true",
    name: (text("name") ?? (parts.length > 0 ? parts.join(" ") : text("preferred_username")))?.trim(),
  };
}

/**
 * Which part of a failed sign-in is the fault of the browser, the issuer, or the configuration. The library's own error is kept as the
 * cause.
 */
function toOidcRefusal(error: unknown, issuer: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AuthorizationResponseError) {
    const said = [error.error, error.error_description].filter(Boolean).join(": ");
    return new AppError("UNAUTHENTICATED", [`the identity provider did not sign you in (${said}); sign in again`], { cause: error });
  }
  if (error instanceof ResponseBodyError) return toTokenRefusal(error, issuer);
  if (error instanceof ClientError && isAnswerAtFault(error)) {
    return new AppError("UNAUTHENTICATED", [`the response of the identity provider is invalid (${describe(error)}); sign in again`], {
      cause: error,
    });
  }
  return away(error, issuer);
}

/** The token endpoint refused: the code (used, expired, another verifier), or us. */
function toTokenRefusal(error: ResponseBodyError, issuer: string): AppError {
  if (error.error === "invalid_grant") {
    return new AppError("UNAUTHENTICATED", ["the identity provider no longer accepts the code; sign in again"], { cause: error });
  }
  if (error.error === "invalid_client" || error.error === "unauthorized_client") {
    const why = `${issuer} does not know this client or its secret; check MILLRACE_OIDC_CLIENT_ID and MILLRACE_OIDC_CLIENT_SECRET`;
    return new AppError("INTEGRATION_NOT_CONFIGURED", ["OpenID Connect", why], { cause: error });
  }
  return away(error, issuer);
}

/** Error codes of the library for responses with unexpected content. */
const answerCodes =
  /^OAUTH_(?:INVALID_RESPONSE|JWT_CLAIM_COMPARISON_FAILED|JWT_TIMESTAMP_CHECK_FAILED|JWT_USERINFO_EXPECTED|KEY_SELECTION_FAILED|UNSUPPORTED_OPERATION)$/;

function isAnswerAtFault(error: ClientError): boolean {
  return answerCodes.test(error.code ?? "");
}

function away(error: unknown, issuer: string): AppError {
  const why = `the identity provider ${issuer} can't be reached or does not answer as OpenID Connect does (${describe(error)}); try again, or sign in by password`;
  return new AppError("NOT_READY", [why], { retryAfterSeconds: 10, cause: error });
}

/** The innermost reason, in one line. */
function describe(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const code = (inner as { code?: unknown } | undefined)?.code;
  if (typeof code === "string" && code.startsWith("E")) return code;
  return inner instanceof Error ? inner.message : String(inner);
}

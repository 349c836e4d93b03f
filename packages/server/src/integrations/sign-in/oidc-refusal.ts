import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { AppError } from "../../base/error/app-error.ts";

/**
 * What of a failed sign-in is the browser's doing, what the issuer's, and what the configuration's. The library's own error stays
 * as the cause.
 */
export function toOidcRefusal(error: unknown, issuer: string): AppError {
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

/** Codes of the library for answers that came but say something else than what was expected. */
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

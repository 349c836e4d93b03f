import { AppError } from "../../../base/error/app-error.ts";
import type { IdentityProvider } from "../../../integrations/sign-in/identity-provider.ts";
import type { Services } from "../../endpoint.ts";
import { signInRules } from "./sign-in-rules.ts";

/** With the address to which it sends browsers back, which is registered with it. */
export function requireIdentityProvider(services: Services): { provider: IdentityProvider; redirectUri: string } {
  const { identityProvider: provider, publicUrl } = signInRules(services);
  if (provider === undefined || publicUrl === undefined) {
    throw new AppError("INTEGRATION_NOT_CONFIGURED", ["OpenID Connect", "set MILLRACE_OIDC_ISSUER; see docs/sign-in.md"]);
  }
  return { provider, redirectUri: `${publicUrl}/api/v2/auth/oidc/callback` };
}

import type { Services, SignInRules } from "../../endpoint.ts";

const hourSeconds = 3600;

const defaults: SignInRules = {
  sessionSeconds: 24 * hourSeconds,
  idleSeconds: 8 * hourSeconds,
  administrators: [],
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};

export function signInRules({ signIn }: Services): SignInRules {
  return signIn ?? defaults;
}

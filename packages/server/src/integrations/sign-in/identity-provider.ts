/** Sign-in through a provider: the browser is sent there, and comes back with a code that only this service can redeem. */
export interface IdentityProvider {
  /** Where to send the browser, and what has to be remembered until it is back. */
  start(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * The person who has signed in with the browser.
   * @param callbackUrl the URL with which the browser came back, including everything that the provider has added
   * @throws AppError UNAUTHENTICATED if the response does not match the started sign-in, NOT_READY if the provider is unreachable
   */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<ProvenIdentity>;
}

/** Ties the callback to the start of the sign-in. Secret: it stays in the browser that started it, sealed. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface ProvenIdentity {
  /** Together with the subject it identifies a person permanently; everything else is the provider's current information. */
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Undefined if the provider does not report it. */
  isEmailVerified: boolean | undefined;
  name: string | undefined;
}

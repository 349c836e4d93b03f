/** Signing people in elsewhere: the browser is sent there, and comes back with a code that only this service can redeem. */
export interface IdentityProvider {
  /** Where to send the browser, and what has to be remembered until it is back. */
  start(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * The person who has signed in with the browser.
   * @param callbackUrl as the browser came back, with all that the provider has added
   * @throws AppError UNAUTHENTICATED when the answer does not belong to what was started, NOT_READY when the provider is away
   */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<ProvenIdentity>;
}

/** What binds the way back to the way there. Secret: it stays in the browser that began, sealed. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface ProvenIdentity {
  /** Together with the subject it identifies a person forever; everything else is what the provider says about them today. */
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Undefined where the provider says nothing about it. */
  isEmailVerified: boolean | undefined;
  name: string | undefined;
}

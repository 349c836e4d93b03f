import type { Reason } from "@millrace/contract/errors.ts";
import { AppError } from "../error/app-error.ts";

export type SignInWay = "password" | "password-code" | "invitation" | "activation" | "oidc" | "token" | "proxy";

export interface FailedSignIn {
  way: SignInWay;
  /** One of a few keywords, never the caller's text. */
  why: string;
  /** Address of an existing user; never the typed text, which may be a password in the wrong field. */
  account?: string | undefined;
}

/** A refused sign-in: like any other refusal for the caller, and one line in the record of failed sign-ins. */
export class SignInRefusal extends AppError {
  readonly failed: FailedSignIn;

  constructor(failed: FailedSignIn, reason: Reason, values: readonly unknown[], more: { cause?: unknown } = {}) {
    super(reason, values, more);
    this.failed = failed;
  }
}

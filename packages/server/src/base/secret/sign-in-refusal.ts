import type { Reason } from "@millrace/contract/errors.ts";
import { AppError } from "../error/app-error.ts";

export type SignInWay = "password" | "password-code" | "invitation" | "activation" | "oidc" | "token" | "proxy";

export interface FailedSignIn {
  way: SignInWay;
  /** One of a few words, never what the caller sent. */
  why: string;
  /** Address of a user that there is; never what was typed, which may be a password in the wrong field. */
  account?: string | undefined;
}

/** A sign-in that was refused: as any other refusal for the caller, and one line in the record of failed sign-ins. */
export class SignInRefusal extends AppError {
  readonly failed: FailedSignIn;

  constructor(failed: FailedSignIn, reason: Reason, values: readonly unknown[], more: { cause?: unknown } = {}) {
    super(reason, values, more);
    this.failed = failed;
  }
}

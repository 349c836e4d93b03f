import { passwordCode } from "@millrace/contract/sign-in.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hashOneTimeCode, newOneTimeCode } from "../../base/secret/one-time-code.ts";
import { takeoverRefusal } from "../../policy/users.ts";
import { setResetCode } from "../../store/identity/passwords.ts";
import { defineEndpoint } from "../endpoint.ts";
import { findUser } from "./find-user.ts";
import { userPath } from "./user-path.ts";

const validHours = 24;

export const makePasswordCode = defineEndpoint({
  method: "POST",
  path: "/api/v2/user/:userId/password-code",
  summary: "Make a code by which a user sets a password",
  description:
    "For somebody who has forgotten his password, or has none yet. Good once, for 24 hours; a new one takes the place of the last. Give it to him by a way " +
    "that is yours to choose. Only for administrators, since whoever has the code can act as the user. 409 for a user who was deactivated.",
  tag: "Users",
  permission: "user/write",
  transaction: "write",
  params: userPath,
  response: passwordCode,
  async handle({ db, params, principal, audit }) {
    const user = await findUser(db, params.userId);
    const refusal = takeoverRefusal(principal);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const code = newOneTimeCode();
    const until = await setResetCode(db, user.id, hashOneTimeCode(code), validHours);
    if (until === undefined) {
      throw new AppError("CONFLICT", [`${user.email} is ${user.status}; a code would let nobody in. Make the user active first`]);
    }
    audit({ kind: "password", id: user.id, name: user.email, after: { codeUntil: until.toISOString() } });
    return { code, expirationDate: until.toISOString() };
  },
});

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
  summary: "Create a code for setting a password",
  description:
    "For a user who forgot the password, or has none yet. The code works once, for 24 hours, and replaces the previous one. Millrace doesn't send it: pass it on " +
    "yourself. Only for administrators, since the code lets its holder act as the user. 409 for a deactivated user.",
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
      throw new AppError("CONFLICT", [`${user.email} is ${user.status}; set the status to active before you create a code`]);
    }
    audit({ kind: "password", id: user.id, name: user.email, after: { codeUntil: until.toISOString() } });
    return { code, expirationDate: until.toISOString() };
  },
});

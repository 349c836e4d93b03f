import { userRequest } from "@millrace/contract/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import { changeUser as change, holdUserRights, isKnownAs } from "../../domain/identity/change-user.ts";
import { rightsRefusal, takeoverRefusal } from "../../policy/users.ts";
import { defineEndpoint } from "../endpoint.ts";
import { findUser } from "./find-user.ts";
import { readUserRequest } from "./read-user-request.ts";
import { viewUser } from "./user.view.ts";
import { userPath } from "./user-path.ts";

export const changeUser = defineEndpoint({
  method: "PATCH",
  path: "/api/v2/user/:userId",
  summary: "Change a user",
  description:
    "Members that are left out don't change; labels are merged (null removes one). You can't change your own type or status, the type or status of a user with more permissions than you, " +
    "or give a type with more permissions than yours. The last active administrator can't be deactivated. A user who is no longer active is signed out at once, and their tokens stop working. `identity` sets who signs in as this user through OpenID Connect; this requires an administrator.",
  tag: "Users",
  permission: "user/write",
  transaction: "write",
  changesRights: true,
  params: userPath,
  body: userRequest,
  response: null,
  async handle({ db, params, body, principal, audit }) {
    const user = await holdUserRights(db, (await findUser(db, params.userId)).id);
    const wanted = readUserRequest(body, user.email);
    const isIdentityNew = wanted.identity !== undefined && !isKnownAs(user, wanted.identity);
    const refusal = rightsRefusal(principal, { ...user, wanted }) ?? (isIdentityNew ? takeoverRefusal(principal) : undefined);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const after = await change(db, user, wanted);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user), after: viewUser(after) });
  },
});

import { AppError } from "../../base/error/app-error.ts";
import { holdUserRights } from "../../domain/identity/change-user.ts";
import { deleteUser as remove } from "../../domain/identity/delete-user.ts";
import { reachRefusal } from "../../policy/users.ts";
import { defineEndpoint } from "../endpoint.ts";
import { findUser } from "./find-user.ts";
import { viewUser } from "./user.view.ts";
import { userPath } from "./user-path.ts";

export const deleteUser = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/user/:userId",
  summary: "Delete a user",
  description:
    "The user's tokens and sessions end; votes and audit records keep the name. Refused while the user belongs to a team, for the last active administrator, " +
    "for yourself, and for a user with more permissions than you. With an identity provider the user is created again at the next sign-in: " +
    "to prevent that, set the status to inactive instead.",
  tag: "Users",
  permission: "user/delete",
  transaction: "write",
  changesRights: true,
  params: userPath,
  response: null,
  async handle({ db, params, principal, audit }) {
    const user = await holdUserRights(db, (await findUser(db, params.userId)).id);
    const refusal =
      user.id === principal.userId ? "you can't delete yourself; ask another administrator" : reachRefusal(principal, user.type);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    await remove(db, user);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user) });
  },
});

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
    "His tokens and sessions end; votes and audit records keep his name. Refused while he belongs to a team, for the last active administrator, " +
    "for oneself, and for a user who may do more than the caller. Where people come from an identity provider, he is made anew when he signs in again: " +
    "to keep him out set his status to inactive.",
  tag: "Users",
  permission: "user/delete",
  transaction: "write",
  changesRights: true,
  params: userPath,
  response: null,
  async handle({ db, params, principal, audit }) {
    const user = await holdUserRights(db, (await findUser(db, params.userId)).id);
    const refusal = user.id === principal.userId ? "nobody deletes himself; ask another administrator" : reachRefusal(principal, user.type);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    await remove(db, user);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user) });
  },
});

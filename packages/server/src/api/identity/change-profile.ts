import { userRequest } from "@millrace/contract/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import { changeUser, holdUser } from "../../domain/identity/change-user.ts";
import { mayChangeProfile, rightsRefusal } from "../../policy/users.ts";
import { defineEndpoint } from "../endpoint.ts";
import { readUserRequest } from "./read-user-request.ts";
import { requirePerson } from "./require-person.ts";
import { viewUser } from "./user.view.ts";

export const changeProfile = defineEndpoint({
  method: "PATCH",
  path: "/api/v2/profile",
  summary: "Change your profile",
  description:
    "Name, display name, labels and settings; members that are left out don't change. Another type or status is a 403, another email address a 400.",
  tag: "Users",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  body: userRequest,
  response: null,
  async handle({ db, body, principal, audit }) {
    if (!mayChangeProfile(principal)) throw new AppError("PERMISSION_DENIED", ["this token has limited permissions and lacks user/write"]);
    const user = await holdUser(db, requirePerson(principal));
    const wanted = readUserRequest(body, user.email);
    const refusal = rightsRefusal(principal, { ...user, wanted });
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const after = await changeUser(db, user, wanted);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user), after: viewUser(after) });
  },
});

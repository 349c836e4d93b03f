import { type UserProfile, userProfile } from "@millrace/contract/identity/profile.ts";
import { defaultUserSettings, userRequest } from "@millrace/contract/identity/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import { changeUser, holdUser } from "../../domain/identity/change-user.ts";
import { isPerson } from "../../policy/allows.ts";
import { mayChangeProfile, rightsRefusal } from "../../policy/users.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { loadProfile, requirePerson } from "./require-person.ts";
import { signInRules } from "./sign-in/begin-session.ts";
import { findUser, readUserRequest, viewUser } from "./user.view.ts";

export const getProfile = defineEndpoint({
  method: "GET",
  path: "/api/v2/profile",
  summary: "Read your profile",
  description:
    "Who you are, your teams and your permissions. 403 for a token that belongs to no user. With MILLRACE_AUTH=off it is the profile of an administrator " +
    "that is not a stored user.",
  tag: "Users",
  permission: "signed-in",
  transaction: "read",
  response: userProfile,
  async handle({ db, principal, services }) {
    if (signInRules(services).isAuthOff && !isPerson(principal)) return localProfile(principal, (await getInstance(db)).activatedAt);
    return loadProfile(db, await findUser(db, requirePerson(principal)), principal);
  },
});

/** Without sign-in, a browser still needs a user to show. */
function localProfile({ name, permissions }: Principal, activatedAt: Date | null): UserProfile {
  return {
    id: "00000000-0000-0000-0000-000000000000",
    email: "admin@localhost",
    name,
    type: "admin",
    creationDate: (activatedAt ?? new Date(0)).toISOString(),
    status: "active",
    labels: {},
    settings: defaultUserSettings,
    teams: [],
    permissions,
  };
}

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

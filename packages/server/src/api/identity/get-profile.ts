import { type UserProfile, userProfile } from "@millrace/contract/profile.ts";
import { defaultUserSettings } from "@millrace/contract/user.ts";
import { isPerson } from "../../policy/allows.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { findUser } from "./find-user.ts";
import { loadProfile } from "./load-profile.ts";
import { requirePerson } from "./require-person.ts";
import { signInRules } from "./sign-in/sign-in-rules.ts";

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

/** Where nobody signs in, a browser still has to show somebody. */
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

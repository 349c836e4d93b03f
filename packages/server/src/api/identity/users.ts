import { passwordCode } from "@millrace/contract/identity/sign-in.ts";
import { pageUser, user, userRequest, userStatuses, userTypes } from "@millrace/contract/identity/user.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { hashOneTimeCode, newOneTimeCode } from "../../base/secret/token-text.ts";
import { changeUser as change, holdUserRights, isKnownAs, deleteUser as remove } from "../../domain/identity/change-user.ts";
import { reachRefusal, rightsRefusal, takeoverRefusal } from "../../policy/users.ts";
import { setResetCode } from "../../store/identity/passwords.ts";
import { queryUsers as find } from "../../store/identity/user-details.ts";
import { defineEndpoint } from "../endpoint.ts";
import { labels, list, listOf, order, pageParameters, search, toLabelFilter } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { findUser, readUserRequest, userPath, viewUser } from "./user.view.ts";

export const queryUsers = defineEndpoint({
  method: "GET",
  path: "/api/v2/user/query",
  summary: "Find users",
  tag: "Users",
  permission: "user/read",
  transaction: "read",
  query: Type.Object({
    ...pageParameters,
    labels,
    status: listOf(userStatuses, "Statuses; default all"),
    ids: list("IDs or email addresses of users; default all"),
    types: listOf(userTypes, "Types; default all"),
    search: search("a name or the email address"),
    order: order("DESC"),
    sort: Type.String({
      default: "name",
      description: "name, displayName, email, type, status, creationDate or lastLoginDate; any other counts as name",
    }),
  }),
  response: pageUser,
  async handle({ db, query }) {
    const { limit, page, status, ids, types, search, order, sort } = query;
    const filter = { labels: toLabelFilter(query.labels), statuses: status, ids, types, search };
    const { rows, total } = await find(db, filter, { limit, offset: limit * page, isDescending: order === "DESC", sort });
    return viewPage(rows.map(viewUser), { limit, page, total, sorted: true });
  },
});

export const getUser = defineEndpoint({
  method: "GET",
  path: "/api/v2/user/:userId",
  summary: "Read a user",
  tag: "Users",
  permission: "user/read",
  transaction: "read",
  params: userPath,
  response: user,
  async handle({ db, params }) {
    return viewUser(await findUser(db, params.userId));
  },
});

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
  async handle({ db, params, body, principalUnderLock, audit }) {
    const user = await holdUserRights(db, (await findUser(db, params.userId)).id);
    const principal = await principalUnderLock();
    const wanted = readUserRequest(body, user.email);
    const isIdentityNew = wanted.identity !== undefined && !isKnownAs(user, wanted.identity);
    const refusal = rightsRefusal(principal, { ...user, wanted }) ?? (isIdentityNew ? takeoverRefusal(principal) : undefined);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const after = await change(db, user, wanted);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user), after: viewUser(after) });
  },
});

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
  async handle({ db, params, principalUnderLock, audit }) {
    const user = await holdUserRights(db, (await findUser(db, params.userId)).id);
    const principal = await principalUnderLock();
    const refusal =
      user.id === principal.userId ? "you can't delete yourself; ask another administrator" : reachRefusal(principal, user.type);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    await remove(db, user);
    audit({ kind: "user", id: user.id, name: user.email, before: viewUser(user) });
  },
});

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

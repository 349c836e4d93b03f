import { user } from "@millrace/contract/user.ts";
import { defineEndpoint } from "../endpoint.ts";
import { findUser } from "./find-user.ts";
import { viewUser } from "./user.view.ts";
import { userPath } from "./user-path.ts";

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

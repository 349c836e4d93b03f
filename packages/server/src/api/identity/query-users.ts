import { pageUser, userStatuses, userTypes } from "@millrace/contract/user.ts";
import Type from "typebox";
import { queryUsers as find } from "../../store/identity/user-details.ts";
import { defineEndpoint } from "../endpoint.ts";
import { labels, list, listOf, order, pageParameters, search, toLabelFilter } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewUser } from "./user.view.ts";

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

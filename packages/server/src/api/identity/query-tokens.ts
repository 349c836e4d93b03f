import { pageToken, tokenTypes } from "@millrace/contract/token.ts";
import Type from "typebox";
import { tokensReadBy } from "../../policy/tokens.ts";
import { queryTokens as find } from "../../store/identity/token-query.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, list, listOf, order, pageParameters, toDateRange } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewToken } from "./token.view.ts";

export const queryTokens = defineEndpoint({
  method: "GET",
  path: "/api/v2/token/query",
  summary: "Find tokens",
  description: "Your tokens, and those of the teams whose tokens you can read. The tokens themselves are never shown.",
  tag: "Tokens",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    ...pageParameters,
    types: listOf(tokenTypes, "Types; default all"),
    principals: list("Names or IDs of teams, IDs of workflows, IDs or email addresses of users, ** for global tokens; default all"),
    order: order("ASC"),
    sort: Type.String({
      default: "creationDate",
      description: "creationDate, name, type or expirationDate; any other counts as creationDate",
    }),
    fromDate: date("Created at this time or later"),
    toDate: date("Created before this time"),
  }),
  response: pageToken,
  async handle({ db, query, principal }) {
    const { limit, page, types, principals, order, sort } = query;
    const filter = { readable: tokensReadBy(principal), types, principals, ...toDateRange(query) };
    const { rows, total } = await find(db, filter, { limit, offset: limit * page, isDescending: order === "DESC", sort });
    return viewPage(rows.map(viewToken), { limit, page, total, sorted: true });
  },
});

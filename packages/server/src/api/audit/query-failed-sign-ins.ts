import { type FailedSignInEntry, pageFailedSignIn } from "@millrace/contract/failed-sign-in.ts";
import Type from "typebox";
import { type FailedSignInRow, queryFailedSignIns as find } from "../../store/identity/failed-sign-ins.ts";
import { defineEndpoint } from "../endpoint.ts";
import { pageParameters } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";

export const queryFailedSignIns = defineEndpoint({
  method: "GET",
  path: "/api/v2/audit/failed-sign-ins",
  summary: "Find out who tried to sign in and failed",
  description:
    "A page of failed sign-ins, newest hour first. Identical failures within an hour are one entry with a count. Kept for 30 days. Attempts that were rejected by the rate limit are not listed.",
  tag: "Audit",
  permission: "system/read",
  transaction: "read",
  query: Type.Object(pageParameters),
  response: pageFailedSignIn,
  async handle({ db, query: { limit, page } }) {
    const { rows, total } = await find(db, { limit, offset: limit * page });
    return viewPage(rows.map(viewFailure), { limit, page, total, sorted: true });
  },
});

function viewFailure({ hour, account, firstAt, lastAt, ...row }: FailedSignInRow): FailedSignInEntry {
  const dates = { firstDate: firstAt.toISOString(), lastDate: lastAt.toISOString() };
  return { ...row, hour: hour.toISOString(), account: account === "" ? null : account, ...dates };
}

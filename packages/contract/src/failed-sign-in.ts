import Type, { type Static } from "typebox";
import { page } from "./page.ts";
import { named } from "./schema.ts";

/** Failed sign-ins of one hour that are alike. */
export interface FailedSignInEntry extends Static<typeof failedSignIn> {}

const moment = () => Type.String({ format: "date-time" });
const example = {
  hour: "2026-03-01T12:00:00.000Z",
  network: "203.0.113.7",
  way: "password",
  reason: "wrong-password",
  account: "ada@example.com",
  count: 10,
  firstDate: "2026-03-01T12:04:11.000Z",
  lastDate: "2026-03-01T12:09:58.000Z",
};

export const failedSignIn = named(
  "FailedSignIn",
  Type.Object(
    {
      hour: moment(),
      network: Type.String({
        description: "Address, or the /64 network of an IPv6 one; * for all those beyond the first 500 rows of the hour",
      }),
      way: Type.String({
        description: "password, password-code, activation, oidc, token or proxy; * for all those beyond the first 20 of the network",
      }),
      reason: Type.String(),
      account: Type.Unsafe<string | null>({
        type: ["string", "null"],
        description: "Address of the user it was tried for; null where there is no such user, or none was named",
      }),
      count: Type.Integer(),
      firstDate: moment(),
      lastDate: moment(),
    },
    { examples: [example] },
  ),
);

export const pageFailedSignIn = page("PageFailedSignIn", failedSignIn);

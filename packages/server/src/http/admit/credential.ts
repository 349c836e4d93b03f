import type { IncomingHttpHeaders } from "node:http";
import { rawParameter } from "../input/read-query.ts";

/**
 * The text of the credential, in this order: `Authorization: Bearer T`, `x-access-token: T`, and `?access_token=T` where the
 * endpoint allows it (query strings end in the logs of proxies). Undefined when there is none.
 */
export function readCredential(headers: IncomingHttpHeaders, rawQuery: string, isTokenInQuery: boolean): string | undefined {
  const bearer = /^Bearer +(\S.*?) *$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const header = headers["x-access-token"];
  if (typeof header === "string" && header !== "") return header.trim();
  return isTokenInQuery ? rawParameter(rawQuery, "access_token") : undefined;
}

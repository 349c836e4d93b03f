import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type Token = components["schemas"]["Token"];
export type TokenKind = Exclude<Token["type"], "session">;

/** The maximum number of listed tokens; if there are more, the newest are listed. */
export const tokensListed = 200;

/** The tokens that act as that principal, newest first. @param principal left out for those of the whole instance */
export const tokensQuery = (kind: TokenKind, principal: string | undefined) =>
  queryOptions({
    queryKey: ["tokens", principal ?? "**", kind],
    queryFn: () =>
      call(
        api.GET("/api/v2/token/query", {
          params: {
            query: {
              limit: tokensListed,
              page: 0,
              order: "DESC",
              types: [kind],
              ...(principal !== undefined && { principals: [principal] }),
            },
          },
        }),
      ),
  });

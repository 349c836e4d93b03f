import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { mayOnToken } from "../../policy/tokens.ts";
import { findToken, deleteToken as remove } from "../../store/identity/tokens.ts";
import { isId } from "../../store/team/directory.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewToken } from "./token.view.ts";
import { ownerOf } from "./token-owner.ts";

export const deleteToken = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/token/:tokenId",
  summary: "Revoke a token",
  tag: "Tokens",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  params: Type.Object({ tokenId: Type.String({ description: "ID of the token, not the token itself" }) }),
  response: null,
  async handle({ db, params, principal, audit }) {
    const token = isId(params.tokenId) ? await findToken(db, params.tokenId) : undefined;
    if (token === undefined || !mayOnToken(principal, "token/read", ownerOf(token)))
      throw new AppError("NOT_FOUND", [`token ${params.tokenId}`]);
    if (!mayOnToken(principal, "token/delete", ownerOf(token)))
      throw new AppError("PERMISSION_DENIED", ["revoking this token needs token/delete"]);
    if (!(await remove(db, token.id))) throw new AppError("NOT_FOUND", [`token ${params.tokenId}`]);
    audit({ kind: "token", id: token.id, name: token.name, ...(token.teamId && { teamId: token.teamId }), before: viewToken(token) });
  },
});

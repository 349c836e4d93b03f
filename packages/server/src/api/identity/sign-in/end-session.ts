import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { endSessionRefusal, mayEndSession } from "../../../policy/users.ts";
import { findSession } from "../../../store/identity/sessions.ts";
import { deleteToken } from "../../../store/identity/tokens.ts";
import { isId } from "../../../store/team/directory.ts";
import { defineEndpoint } from "../../endpoint.ts";

export const endSession = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/auth/sessions/:sessionId",
  summary: "End a session",
  description:
    "One of your own. If you can change users, also a session of a user who has no more permissions than you. The browser is signed out at once.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  params: Type.Object({ sessionId: Type.String({ description: "ID of the session" }) }),
  response: null,
  async handle({ db, params, principal, audit }) {
    const session = isId(params.sessionId) ? await findSession(db, params.sessionId) : undefined;
    if (session === undefined || !mayEndSession(principal, session.userId))
      throw new AppError("NOT_FOUND", [`session ${params.sessionId}`]);
    const refusal = endSessionRefusal(principal, session);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    await deleteToken(db, session.id);
    audit({ kind: "session", id: session.id, before: { user: session.userId, address: session.clientAddress } });
  },
});

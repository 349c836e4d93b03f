import { ref } from "@millrace/contract/schema.ts";
import { type Session, session } from "@millrace/contract/sign-in.ts";
import Type from "typebox";
import { listSessions as list } from "../../../store/identity/sessions.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { requireWholePerson } from "../require-person.ts";

export const listSessions = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/sessions",
  summary: "List your sessions",
  description:
    "The browsers in which you are signed in, newest first. Administrators find the sessions of others with `GET /api/v2/token/query?types=session`.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "read",
  response: Type.Array(ref(session)),
  async handle({ db, principal }): Promise<Session[]> {
    const rows = await list(db, requireWholePerson(principal).userId);
    return rows.map((row) => ({
      id: row.id,
      creationDate: row.createdAt.toISOString(),
      lastUsedDate: row.lastUsedAt?.toISOString() ?? null,
      expirationDate: row.expiresAt?.toISOString() ?? null,
      address: row.clientAddress,
      userAgent: row.userAgent,
      current: row.id === principal.tokenId,
    }));
  },
});

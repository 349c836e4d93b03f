import type { Principal } from "../../api/endpoint.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { findPerson, letVisitorIn, lockRights, type Visitor, type VisitorRow } from "../../store/identity/sign-ins.ts";
import { toVisitorPrincipal } from "./principal.ts";

export type WelcomedVisitor = Visitor;

/**
 * Whom a trusted proxy names, as he may act now. At first sight he is made, or let in if he was invited; from then on his coming is
 * noted once an hour, so that most requests write nothing. Whom the configuration makes administrator becomes it at once. Undefined
 * when he was deactivated.
 */
export async function findVisitorPrincipal(sql: Database, visitor: Visitor, requestId: string): Promise<Principal | undefined> {
  const known = await findPerson(sql, visitor.email);
  if (known !== undefined && known.status !== "active" && !known.isInvited) return undefined;
  const isToBeRaised = visitor.isAdministrator && known?.userType !== "admin";
  if (known !== undefined && known.status === "active" && known.isRecent && !isToBeRaised) return toVisitorPrincipal(known);
  await transaction(sql, (tx) => welcome(tx, visitor, requestId));
  const person = await findPerson(sql, visitor.email);
  return person?.status === "active" ? toVisitorPrincipal(person) : undefined;
}

async function welcome(tx: Transaction, visitor: Visitor, requestId: string): Promise<void> {
  const before = await lockRights(tx, visitor.email);
  const row = await letVisitorIn(tx, visitor);
  if (before?.type === row.type && before.status === row.status) return;
  await insertAudit(tx, arrivalRecord(row, before, requestId));
}

/** Made, let in, or raised: nobody's rights change without a record. */
function arrivalRecord({ id, email, type, status }: VisitorRow, before: object | undefined, requestId: string) {
  const user = `user:${id}`;
  return {
    teamId: null,
    principalKind: "session",
    principalId: user,
    principalName: email,
    tokenId: null,
    action: "user/write",
    objectKind: "user",
    objectId: id,
    objectName: email,
    requestId,
    before,
    after: { email, type, status, via: "proxy" },
  };
}

import type { Principal } from "../../api/endpoint.ts";
import { allows } from "../../policy/allows.ts";
import { userPrincipal } from "../../policy/user-principal.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findPersonById } from "../../store/identity/sign-ins.ts";
import { findCredentialById } from "../../store/identity/tokens.ts";
import { adminTokenPrincipal, localPrincipal, toPrincipal } from "./principal.ts";

/** Who asked for what continues in the background. */
export interface Requester {
  kind: string;
  id: string;
  userId?: string | undefined;
  tokenId?: string | undefined;
  limit?: readonly string[] | undefined;
}

/**
 * Whether they may still act on runs of that workflow. People who sign out keep their rights. A member who was removed from the team, or a
 * deactivated user, has none. A token's job ends when the token does.
 */
export async function allowsRunActions(db: Queryable, requester: Requester, of: { teamId: string; workflowId: string }): Promise<boolean> {
  const principal = await presentPrincipal(db, requester);
  if (principal === undefined || !allows(principal, "workflowrun/action", of.teamId)) return false;
  return principal.workflowId === undefined || principal.workflowId === of.workflowId;
}

async function presentPrincipal(db: Queryable, { kind, id, userId, tokenId, limit }: Requester): Promise<Principal | undefined> {
  const builtIn = [adminTokenPrincipal, localPrincipal].find((one) => one.id === id);
  if (builtIn) return builtIn;
  if (userId !== undefined && (kind === "session" || tokenId === undefined)) {
    const person = await findPersonById(db, userId);
    return person?.status === "active" ? { kind: "session", ...userPrincipal(person, limit) } : undefined;
  }
  const token = tokenId === undefined ? undefined : await findCredentialById(db, tokenId);
  return token && toPrincipal(token);
}

import type { Token } from "@millrace/contract/token.ts";
import type { TokenRow } from "../../store/identity/tokens.ts";

export function viewToken(row: TokenRow): Token {
  const principal = row.workflowId ?? row.teamId ?? row.userId ?? "**";
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    description: row.description,
    creationDate: row.createdAt.toISOString(),
    expirationDate: row.expiresAt?.toISOString() ?? null,
    lastUsedDate: row.lastUsedAt?.toISOString() ?? null,
    valid: row.isValid,
    principal,
    permissions: [{ scope: row.kind, principal, actions: row.permissions }],
  };
}

import { type TokenCreateRequest, type TokenType, tokenCreateRequest, tokenCreateResponse, tokenTypes } from "@millrace/contract/token.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hashToken, newTokenText } from "../../base/secret/token-text.ts";
import { readSettings } from "../../domain/settings/read-settings.ts";
import { permissionFault } from "../../policy/permissions.ts";
import { mintRefusal, type TokenOwner } from "../../policy/tokens.ts";
import type { Queryable } from "../../store/database/database.ts";
import { insertToken } from "../../store/identity/tokens.ts";
import { letUserIn } from "../../store/identity/users.ts";
import { given } from "../body-members.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { findTokenOwner } from "./token-owner.ts";

const prefixes: Record<Exclude<TokenType, "session">, string> = { global: "mrg_", team: "mrt_", workflow: "mrw_", user: "mru_" };

export const createToken = defineEndpoint({
  method: "POST",
  path: "/api/v2/token",
  summary: "Create a token",
  description:
    "The token is shown only in this response. It can't have more permissions than you, and can't outlive the token that you create it with. " +
    "A user token has the permissions of its user, limited to `permissions` if given. If an administrator creates one for a user who was " +
    "invited by address, the user becomes active.",
  tag: "Tokens",
  permission: "signed-in",
  transaction: "write",
  body: tokenCreateRequest,
  response: tokenCreateResponse,
  async handle({ db, body, principal, audit }) {
    const type = readType(body.type);
    const owner = await findTokenOwner(db, type, given(body.principal)?.trim(), principal);
    if (type === "workflow") await requireWorkflowTokens(db);
    const permissions = readPermissions(body, type, principal);
    const refusal = mintRefusal(principal, owner, permissions);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const expiresAt = readExpiry(body.expirationDate, principal);
    const text = newTokenText(prefixes[type]);
    const named = { kind: type, name: body.name.trim(), description: body.description ?? null, permissions };
    const made = await insertToken(db, {
      ...named,
      ...columnsOf(owner),
      hash: hashToken(text),
      createdBy: principal.id,
      maker: principal,
      expiresAt,
    });
    if (made === undefined) throw new AppError("TOKEN_INVALID_REQ", [`expirationDate ${body.expirationDate} has passed`]);
    if (owner.kind === "user" && owner.userId !== principal.userId) await letUserIn(db, owner.userId);
    audit({
      kind: "token",
      id: made.id,
      name: named.name,
      ...("teamId" in owner && { teamId: owner.teamId }),
      after: { ...named, owner, expiresAt },
    });
    return { id: made.id, type, token: text, expirationDate: expiresAt?.toISOString() ?? null };
  },
});

async function requireWorkflowTokens(db: Queryable): Promise<void> {
  const { features } = await readSettings(db);
  if (features.workflowTokens) return;
  throw new AppError("PERMISSION_DENIED", ["workflow tokens are disabled on this instance (setting features/workflowTokens)"]);
}

function readType(word: string): Exclude<TokenType, "session"> {
  const type = tokenTypes.find((known) => known === word.toLowerCase());
  if (type === "session") throw new AppError("TOKEN_INVALID_SESSION_REQ");
  if (type === undefined)
    throw new AppError("TOKEN_INVALID_REQ", [`type ${word} is unknown; it must be one of user, team, workflow, global`]);
  return type;
}

function readPermissions({ permissions }: TokenCreateRequest, type: TokenType, principal: Principal): string[] {
  if (permissions == null || permissions.length === 0) {
    if (type === "user") return principal.limit ?? ["**/**"];
    throw new AppError("TOKEN_INVALID_REQ", [`a ${type} token needs permissions, for example ["workflow/read"]`]);
  }
  for (const permission of permissions) {
    const fault = permissionFault(permission);
    if (fault !== undefined) throw new AppError("TOKEN_INVALID_PERMISSION", [permission, fault]);
  }
  return [...new Set(permissions)];
}

/** ISO 8601 or epoch milliseconds. A token does not outlive the one that made it; a session is the user himself, who comes again. */
function readExpiry(wanted: string | number | null | undefined, { expiresAt, kind }: Principal): Date | null {
  const latest = expiresAt === undefined || kind === "session" ? null : new Date(expiresAt);
  if (wanted == null || wanted === "") return latest;
  const date = readDate(wanted);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) {
    throw new AppError("TOKEN_INVALID_REQ", [`expirationDate ${wanted} is not a date; give ISO 8601 or epoch milliseconds`]);
  }
  if (latest !== null && date > latest)
    throw new AppError("PERMISSION_DENIED", [`expirationDate is after ${expiresAt}, when your own token expires`]);
  return date;
}

/** A text without a zone is UTC, as all times here are: not the time of wherever the service happens to run. */
function readDate(wanted: string | number): Date {
  if (typeof wanted === "number") return new Date(wanted);
  if (!/^\d{4}-\d{2}-\d{2}/.test(wanted)) return new Date(Number.NaN);
  return new Date(/^[^T]*T[\d:.]+$/.test(wanted) ? `${wanted}Z` : wanted);
}

function columnsOf(owner: TokenOwner) {
  const { teamId, workflowId, userId } = owner as Partial<{ teamId: string; workflowId: string; userId: string }>;
  return { teamId, workflowId, userId };
}

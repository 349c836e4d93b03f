import {
  pageToken,
  type Token,
  type TokenCreateRequest,
  type TokenType,
  tokenCreateRequest,
  tokenCreateResponse,
  tokenTypes,
} from "@millrace/contract/identity/token.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { hashToken, newTokenText } from "../../base/secret/token-text.ts";
import { isId } from "../../base/text/uuid.ts";
import { canSeeTeam } from "../../policy/allows.ts";
import { permissionFault } from "../../policy/permissions.ts";
import { mayOnToken, mintRefusal, type TokenOwner, tasksRefusal, tokensReadBy } from "../../policy/tokens.ts";
import type { Queryable } from "../../store/database/database.ts";
import { queryTokens as find } from "../../store/identity/token-query.ts";
import { findToken, insertToken, deleteToken as remove, type TokenRow } from "../../store/identity/tokens.ts";
import { findUser, findUserByEmail, letUserIn } from "../../store/identity/users.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { findTeamReference, findWorkflowById, type WorkflowReference } from "../../store/team/directory.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { given } from "../body-members.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { date, list, listOf, order, pageParameters, toDateRange } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";

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
    const tasks = body.tasks == null || body.tasks.length === 0 ? null : [...new Set(body.tasks)];
    const refusal = mintRefusal(principal, owner, permissions) ?? tasksRefusal(principal, owner, permissions, tasks ?? []);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const expiresAt = readExpiry(body.expirationDate, principal);
    const text = newTokenText(prefixes[type]);
    const named = { kind: type, name: body.name.trim(), description: body.description ?? null, permissions, ...(tasks && { tasks }) };
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

/** ISO 8601 or epoch milliseconds. A token does not outlive the token that created it. A session is the user, who can sign in again. */
function readExpiry(wanted: string | number | null | undefined, { expiresAt, kind }: Principal): Date | null {
  const latest = expiresAt === undefined || kind === "session" ? null : new Date(expiresAt);
  if (wanted == null || wanted === "") return latest;
  const date = readDate(wanted);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) {
    throw new AppError("TOKEN_INVALID_REQ", [`expirationDate ${wanted} is not a date; give ISO 8601 or epoch milliseconds`]);
  }
  if (latest !== null && date > latest)
    throw new AppError("PERMISSION_DENIED", [`expirationDate is after ${expiresAt}, when your own token expires`]);
  return date;
}

/** A text without a time zone is UTC, like all times here, not the local time of the server. */
function readDate(wanted: string | number): Date {
  if (typeof wanted === "number") return new Date(wanted);
  if (!/^\d{4}-\d{2}-\d{2}/.test(wanted)) return new Date(Number.NaN);
  return new Date(/^[^T]*T[\d:.]+$/.test(wanted) ? `${wanted}Z` : wanted);
}

function columnsOf(owner: TokenOwner) {
  const { teamId, workflowId, userId } = owner as Partial<{ teamId: string; workflowId: string; userId: string }>;
  return { teamId, workflowId, userId };
}

export const queryTokens = defineEndpoint({
  method: "GET",
  path: "/api/v2/token/query",
  summary: "Find tokens",
  description: "Your tokens, and those of the teams whose tokens you can read. The tokens themselves are never shown.",
  tag: "Tokens",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    ...pageParameters,
    types: listOf(tokenTypes, "Types; default all"),
    principals: list("Names or IDs of teams, IDs of workflows, IDs or email addresses of users, ** for global tokens; default all"),
    order: order("ASC"),
    sort: Type.String({
      default: "creationDate",
      description: "creationDate, name, type or expirationDate; any other counts as creationDate",
    }),
    fromDate: date("Created at this time or later"),
    toDate: date("Created before this time"),
  }),
  response: pageToken,
  async handle({ db, query, principal }) {
    const { limit, page, types, principals, order, sort } = query;
    const filter = { readable: tokensReadBy(principal), types, principals, ...toDateRange(query) };
    const { rows, total } = await find(db, filter, { limit, offset: limit * page, isDescending: order === "DESC", sort });
    return viewPage(rows.map(viewToken), { limit, page, total, sorted: true });
  },
});

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

/** The owner that a token request refers to. What the caller can't see does not exist. */
async function findTokenOwner(db: Queryable, type: TokenType, reference: string | undefined, principal: Principal): Promise<TokenOwner> {
  if (type === "global") return { kind: "global" };
  if (type === "user") return { kind: "user", userId: await findUserId(db, reference, principal) };
  if (reference === undefined) throw new AppError("TOKEN_INVALID_REQ", [`a ${type} token needs principal: the ${type} that it acts as`]);
  if (type === "team") return { kind: "team", teamId: await findTeamId(db, reference, principal) };
  const workflow = await findWorkflowReference(db, reference, principal);
  if (workflow === undefined || !canSeeTeam(principal, workflow.teamId)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [reference]);
  return { kind: "workflow", teamId: workflow.teamId, workflowId: workflow.id };
}

/** Whom a stored token acts as. */
function ownerOf({ kind, teamId, workflowId, userId }: TokenRow): TokenOwner {
  if (workflowId !== null && teamId !== null) return { kind: "workflow", teamId, workflowId };
  if (teamId !== null) return { kind: "team", teamId };
  return userId === null ? { kind: "global" } : { kind: kind === "session" ? "session" : "user", userId };
}

async function findTeamId(db: Queryable, reference: string, principal: Principal): Promise<string> {
  const team = await findTeamReference(db, reference);
  if (team === undefined || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [reference]);
  return team.id;
}

/** The name of a workflow is only unique in its team: `team/name`. */
async function findWorkflowReference(db: Queryable, reference: string, principal: Principal): Promise<WorkflowReference | undefined> {
  if (isId(reference)) return findWorkflowById(db, reference);
  const [team = "", name, ...rest] = reference.split("/");
  if (name === undefined || rest.length > 0) {
    throw new AppError("TOKEN_INVALID_REQ", [`there is no workflow ${reference} (principal); give its ID, or team/name`]);
  }
  const teamId = await findTeamId(db, team, principal);
  const workflow = await findWorkflow(db, teamId, name);
  return workflow && { teamId, id: workflow.id, name: workflow.name };
}

async function findUserId(db: Queryable, reference: string | undefined, principal: Principal): Promise<string> {
  if (reference === undefined) {
    if (principal.userId !== undefined) return principal.userId;
    throw new AppError("TOKEN_INVALID_REQ", ["a user token needs principal: the user that it acts as"]);
  }
  if (reference.toLowerCase() === principal.userId || reference.toLowerCase() === principal.email) return principal.userId!;
  const mayKnow = principal.permissions.includes("**/**");
  const user = !mayKnow ? undefined : isId(reference) ? await findUser(db, reference) : await findUserByEmail(db, reference);
  if (user === undefined) throw new AppError("USER_NOT_FOUND", [reference]);
  return user.id;
}

function viewToken(row: TokenRow): Token {
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
    ...(row.tasks && { tasks: row.tasks }),
  };
}

import type { TokenType } from "@millrace/contract/token.ts";
import { AppError } from "../../base/error/app-error.ts";
import { canSeeTeam } from "../../policy/allows.ts";
import type { TokenOwner } from "../../policy/tokens.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { TokenRow } from "../../store/identity/tokens.ts";
import { findUser, findUserByEmail } from "../../store/identity/users.ts";
import { findTeamReference, findWorkflowById, isId, type WorkflowReference } from "../../store/team/directory.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import type { Principal } from "../endpoint.ts";

/** Whom the reference of a token request means. What the caller can't see does not exist. */
export async function findTokenOwner(
  db: Queryable,
  type: TokenType,
  reference: string | undefined,
  principal: Principal,
): Promise<TokenOwner> {
  if (type === "global") return { kind: "global" };
  if (type === "user") return { kind: "user", userId: await findUserId(db, reference, principal) };
  if (reference === undefined) throw new AppError("TOKEN_INVALID_REQ", [`a ${type} token needs principal: the ${type} that it acts as`]);
  if (type === "team") return { kind: "team", teamId: await findTeamId(db, reference, principal) };
  const workflow = await findWorkflowReference(db, reference, principal);
  if (workflow === undefined || !canSeeTeam(principal, workflow.teamId)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [reference]);
  return { kind: "workflow", teamId: workflow.teamId, workflowId: workflow.id };
}

/** Whom a stored token acts as. */
export function ownerOf({ kind, teamId, workflowId, userId }: TokenRow): TokenOwner {
  if (workflowId !== null && teamId !== null) return { kind: "workflow", teamId, workflowId };
  if (teamId !== null) return { kind: "team", teamId };
  return userId === null ? { kind: "global" } : { kind: kind === "session" ? "session" : "user", userId };
}

async function findTeamId(db: Queryable, reference: string, principal: Principal): Promise<string> {
  const team = await findTeamReference(db, reference);
  if (team === undefined || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [reference]);
  return team.id;
}

/** A workflow's name means something only in its team: `team/name`. */
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

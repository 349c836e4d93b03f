import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWorkflowById, type WorkflowReference } from "../../store/team/directory.ts";
import { findWorkflowsByName } from "../../store/workflow/triggered-workflows.ts";
import type { Permission } from "../endpoint.ts";
import { type ChatCaller, ChatRefusal } from "./chat-caller.ts";

const maxFound = 20;

/**
 * The workflow that a user names by ID, by name, or as TEAM/NAME. A workflow in a team without access from this workspace counts as
 * missing.
 * @throws AppError WORKFLOW_INVALID_REFERENCE, PERMISSION_DENIED; ChatRefusal if several have the name
 */
export async function findChatWorkflow(
  db: Queryable,
  caller: ChatCaller,
  ref: string,
  permission: Permission,
): Promise<WorkflowReference & { teamName: string }> {
  const found = await candidates(db, caller, ref);
  if (found.length === 0) throw new AppError("WORKFLOW_INVALID_REFERENCE", [`${ref} that you can reach from this workspace; try list`]);
  const [target, ...others] = found.filter(({ teamId }) => allows(caller.principal, permission, teamId));
  if (!target)
    throw new AppError("PERMISSION_DENIED", [`this needs the permission ${permission} in team ${teamNameOf(caller, found[0]!)}`]);
  if (others.length > 0) {
    const names = [target, ...others].map((one) => `${teamNameOf(caller, one)}/${one.name}`);
    throw new ChatRefusal(`several of your teams have a workflow ${ref}; choose one of  ${names.join(", ")}`);
  }
  return { ...target, teamName: teamNameOf(caller, target) };
}

async function candidates(db: Queryable, { principal, teams }: ChatCaller, ref: string): Promise<WorkflowReference[]> {
  if (isId(ref)) {
    const found = await findWorkflowById(db, ref.toLowerCase());
    return found && canSeeTeam(principal, found.teamId) ? [found] : [];
  }
  const [teamName, name] = ref.includes("/") ? (ref.split("/", 2) as [string, string]) : [undefined, ref];
  const wanted = teams.filter((team) => teamName === undefined || team.name === teamName.toLowerCase());
  return findWorkflowsByName(
    db,
    name,
    wanted.map(({ id }) => id),
    maxFound,
  );
}

function teamNameOf({ teams }: ChatCaller, { teamId }: WorkflowReference): string {
  return teams.find(({ id }) => id === teamId)?.name ?? teamId;
}

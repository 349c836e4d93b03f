import { ref } from "@millrace/contract/schema.ts";
import { type TaskInput, task } from "@millrace/contract/task/task.ts";
import { createUnknownFinder } from "@millrace/contract/unknown-members.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isStrict, strictFault } from "../../base/text/nearest-name.ts";
import { isOwnYaml } from "../../core/apply/own-document.ts";
import { taskParametersPlace } from "../../core/secret/sealed-places.ts";
import type { OptIn } from "../../core/task/opt-in.ts";
import { inFlatForm } from "../../core/task/tekton/check-task.ts";
import { contentOfDocument } from "../../core/task/tekton/content-of-document.ts";
import { type ReadDocument, readTaskDocument } from "../../core/task/tekton/read-task-document.ts";
import { contentOfTask } from "../../core/task/tekton/task-content.ts";
import { misspeltInTask, type TaskWarning } from "../../core/task/tekton/task-warnings.ts";
import { sealAgain } from "../../domain/secret/seal-again.ts";
import type { SaveTaskContext, WrittenTask } from "../../domain/task/prepare-task.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeam } from "../../store/team/teams.ts";
import type { Context, TeamScope } from "../endpoint.ts";

export interface TaskBody {
  body: unknown;
  rawBody: string;
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Places of the body in the text that contains it. */
  firstLine?: number;
  /** False: the YAML was converted from something else, so that its text need not be returned. */
  isText?: boolean;
}

/** YAML is a Tekton document unless it declares one of our own kinds. */
export function isForeignYaml(text: string): boolean {
  return !isOwnYaml(text);
}

/**
 * What the client wrote, in whichever form.
 *
 * @returns a function of the task's name; without an argument the name of the body counts
 * @throws TASK_INVALID_DEFINITION, WORKFLOW_FOREIGN_DOCUMENT, and VALIDATION_FAILED for unknown members of YAML under `handling=strict`
 */
export function readTaskBody({ body, rawBody, mediaType, headers, firstLine, isText = true }: TaskBody): (name?: string) => WrittenTask {
  if (mediaType === "application/x-yaml") {
    const read = readTaskDocument(rawBody, firstLine);
    if (isStrict(headers["prefer"])) refuseUnknown(read);
    const misspelt = misspeltInTask(read.unknown);
    return (name) => {
      const content = { ...contentOfDocument(read.definition, name), ...(isText && { text: rawBody }) };
      return { content, locate: read.placed, misspelt, warn: inDocument(read) };
    };
  }
  const misspelt = misspeltInTask(findUnknown(body));
  return (name) => {
    const content = contentOfTask(body as TaskInput, name);
    return { content, locate: (details) => inFlatForm(content, details), say: ({ path, message }) => `body ${path} ${message}`, misspelt };
  };
}

const findUnknown = createUnknownFinder(ref(task));

/** JSON is examined before its handler is called (http/input/read-input.ts); of YAML only its reader knows the members. */
function refuseUnknown({ unknown, placedAtNames }: ReadDocument): void {
  const details = placedAtNames(unknown.map(strictFault));
  const [first] = details;
  if (first === undefined) return;
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see errors)` : "";
  throw new AppError("VALIDATION_FAILED", [`with Prefer: handling=strict, ${first.message}${more}`], { details: details.slice(0, 100) });
}

function inDocument({ placedAtNames }: ReadDocument): (warning: TaskWarning) => string {
  return (warning) => placedAtNames([warning])[0]?.message ?? warning.message;
}

export type TaskSaver = Pick<Context<unknown, unknown, unknown, Queryable>, "db" | "principal" | "keyring" | "services">;

/** @param team null: a global task */
export async function saveTaskContext(team: Pick<TeamScope, "id" | "name"> | null, saver: TaskSaver): Promise<SaveTaskContext> {
  const { principal, keyring } = saver;
  const teamId = team?.id ?? null;
  const place = taskParametersPlace(teamId);
  return {
    teamId,
    author: principal.name,
    sealer: (stored) => sealAgain(keyring, place, stored),
    ...(await taskOptIns(team, saver)),
  };
}

/** Whether a task of the team, or a global one, may use the network of the machine, and whether its steps may have privileges. */
export async function taskOptIns(
  team: Pick<TeamScope, "id" | "name"> | null,
  { db, services }: Pick<TaskSaver, "db" | "services">,
): Promise<Pick<SaveTaskContext, "hostNetwork" | "privileges">> {
  const { allowsHostNetwork, allowsPrivileged } = services.runs;
  if (team === null) return { hostNetwork: { isAllowedHere: allowsHostNetwork }, privileges: { isAllowedHere: allowsPrivileged } };
  const row = await findTeam(db, team.id);
  const ofTeam = (isAllowedHere: boolean, isAllowed = false): OptIn => ({ isAllowedHere, team: { name: team.name, isAllowed } });
  return {
    hostNetwork: ofTeam(allowsHostNetwork, row?.allowHostNetwork),
    privileges: ofTeam(allowsPrivileged, row?.allowPrivileged),
  };
}

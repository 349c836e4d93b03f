import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { WorkflowProblem } from "@millrace/contract/workflow/workflow-problem.ts";
import { AppError } from "../../base/error/app-error.ts";
import { type SavedEmbeddedTask, saveEmbeddedTasks } from "../../domain/workflow/save-embedded-tasks.ts";
import { allows } from "../../policy/allows.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { Context } from "../endpoint.ts";
import { warningHeader } from "../task/answer-task.ts";
import { saveTaskContext } from "../task/read-task-body.ts";
import { auditedTask } from "../task/task.view.ts";
import type { WorkflowBody } from "./read-workflow-body.ts";

type Request = Pick<Context<unknown, unknown, unknown, Transaction>, "db" | "team" | "principal" | "keyring" | "services" | "audit">;

/**
 * Saves the tasks that are embedded in a pipeline as tasks of the team, for which the caller needs the permission.
 * @returns headers with likely mistakes in them
 */
export async function savePipelineTasks(request: Request, { embedded, place }: WorkflowBody): Promise<Record<string, string>> {
  const { db, team, principal, audit } = request;
  if (embedded.length === 0) return {};
  if (!allows(principal, "task/write", team.id))
    throw new AppError("PERMISSION_DENIED", [
      `the pipeline has ${embedded.length} taskSpec, which are saved as tasks: this needs task/write in team ${team.name}`,
    ]);
  const saved = await saveEmbeddedTasks(db, await saveTaskContext(team, request), embedded, embeddedPlaces(place));
  for (const { task, before, isWritten } of saved) {
    if (isWritten) audit({ kind: "task", id: task.id, name: task.name, before: before && auditedTask(before), after: auditedTask(task) });
  }
  return warningHeader(embeddedWarnings(saved));
}

/** Where in a pipeline details about an embedded task belong. */
export function embeddedPlaces(place: WorkflowBody["place"]): Parameters<typeof saveEmbeddedTasks>[3] {
  return ({ path }) =>
    (details) =>
      place(details.map((detail) => ({ ...detail, path: path + detail.path.replace(/^\/spec/, "") })));
}

export function embeddedWarnings(saved: readonly SavedEmbeddedTask[]): string[] {
  return saved.flatMap(({ embedded: { node }, warnings }) => warnings.map((warning) => `task ${node}: ${warning}`));
}

/** The member of a response with both: members of a pipeline without an effect, and the warnings of saving the workflow. */
export function withNotes(warnings: Pick<WorkflowInput, "warnings">, notes: readonly WorkflowProblem[]): Pick<WorkflowInput, "warnings"> {
  const all = [...notes, ...(warnings.warnings ?? [])];
  return all.length > 0 ? { warnings: all } : {};
}

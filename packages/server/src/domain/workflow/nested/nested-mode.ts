import { AppError } from "../../../base/error/app-error.ts";
import type { ReferenceContext } from "../../../core/parameter/check-references.ts";
import { isSecretParam } from "../../../core/parameter/secret-params.ts";
import type { WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import type { ResolvedTasks } from "../resolve-tasks.ts";
import type { CheckMode } from "../save-context.ts";

/** The check of a nested workflow: the same as that of a workflow, except for the places in its messages. */

/** A problem inside a nested workflow, with its place in the whole document. @param path of the nested workflow */
export function nestedMode(mode: CheckMode, path: string): CheckMode {
  return {
    ...mode,
    refuse(error) {
      const { reason, values, details } = error.at("");
      const placed = (details ?? []).map((detail) => ({ ...detail, path: `${path}${detail.path}` }));
      const said = values.map((value) => (typeof value === "string" ? value.replace(/^body (?=\/| )/, `body ${path}`) : value));
      mode.refuse(new AppError(reason, said, { details: placed, cause: error }));
    },
  };
}

/** What its author might expect to be reachable. @param document which contains the task */
export function outsideOf(
  { tasks, params }: Pick<WorkflowDocument, "tasks" | "params">,
  { name, forEach, loop }: { name: string; forEach?: unknown; loop?: unknown },
): ReferenceContext["outside"] {
  return {
    task: name,
    tasks: new Set(tasks.map((task) => task.name)),
    params: new Set(params.map((param) => param.name)),
    isLoop: loop != null,
    isForEach: forEach != null,
  };
}

/** Names of the secret parameters of each task, by its definition. */
export function secretsOf({ definitions }: Pick<ResolvedTasks, "definitions">): (task: { name: string }) => ReadonlySet<string> {
  return ({ name }) => new Set((definitions.get(name)?.spec?.params ?? []).filter(isSecretParam).map((param) => param.name));
}

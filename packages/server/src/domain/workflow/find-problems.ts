import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { WorkflowProblem } from "@millrace/contract/workflow/workflow-problem.ts";
import { AppError } from "../../base/error/app-error.ts";
import { newTasksOf } from "../../core/task/former-tasks.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { asGiven, sealComplete } from "./complete-document.ts";
import { checkVersion } from "./prepare-version.ts";
import type { ResolvedTasks } from "./resolve-tasks.ts";
import type { CheckContext, CheckMode } from "./save-context.ts";
import { changedHead, newHead } from "./workflow-head.ts";
import { toWorkflowName } from "./workflow-name.ts";

/** Enough for a reader at a time. */
const maxProblems = 200;

/**
 * Everything for which a save of this document would be refused, by the rules of the save itself, except for the quota on the number of
 * workflows. Warnings come last.
 */
export async function findProblems(db: Queryable, context: CheckContext, input: WorkflowInput): Promise<WorkflowProblem[]> {
  const errors: AppError[] = [];
  const mode: CheckMode = { refuse: (error) => errors.push(error), holdsTasks: false };
  const note = async <T>(check: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const name = await note(() => toWorkflowName(input.name));
  const present = name === undefined ? undefined : await findWorkflow(db, context.team.id, name);
  await note(() => (present ? changedHead(input, present, false) : newHead(input, name ?? "")));
  const complete = await note(() => checkVersion(db, context, name ?? "", input, mode));
  if (complete) await note(() => refuseSecrets(complete, input));
  const problems = errors.flatMap((error) => problemsOf(error, input)).slice(0, maxProblems);
  return [...problems, ...warningsOf(context, input)];
}

/** Secrets that a save would not seal. */
function refuseSecrets(complete: ResolvedTasks, input: WorkflowInput): void {
  const given = { ...complete, document: asGiven(complete.document, input) };
  sealComplete(given, (clear) => clear, { newTasks: newTasksOf(input, undefined) });
}

/** Warnings of the check or the save of a document. */
export function warningsOf({ warnings }: Pick<CheckContext, "warnings">, input: Pick<WorkflowInput, "tasks">): WorkflowProblem[] {
  return warnings
    .slice(0, maxProblems)
    .map(({ code, path, message }) => ({ severity: "warning", reason: code, path, ...nodeOf(path, input), message }));
}

function problemsOf(error: AppError, input: WorkflowInput): WorkflowProblem[] {
  const { reason, details } = error;
  if (details === undefined) return [{ severity: "error", reason, message: error.message }];
  return details.map(({ path, message }) => ({
    severity: "error",
    reason,
    path,
    ...nodeOf(path, input),
    message: said(message, error.message, path),
  }));
}

function nodeOf(path: string, { tasks }: Pick<WorkflowInput, "tasks">): { node?: string } {
  const index = /^\/tasks\/(\d+)/.exec(path)?.[1];
  const node = index === undefined ? undefined : tasks?.[Number(index)]?.name;
  return node === undefined ? {} : { node };
}

/** Many messages continue from the name of the member ("must be …"): those are said with it. */
function said(message: string, whole: string, path: string): string {
  if (message === whole || /^[A-Z"$]|^(the|these|there|another|a|parameter|task|workflow) /.test(message)) return message;
  const member = path.split("/").at(-1) ?? "";
  return message.startsWith(member) ? message : `${member} ${message}`;
}

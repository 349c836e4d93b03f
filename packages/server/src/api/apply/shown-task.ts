import { AppError } from "../../base/error/app-error.ts";
import type { ShownDocument } from "../../core/apply/diff-documents.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import type { TaskRow } from "../../store/task/tasks.ts";
import { viewTask, viewTaskDocument } from "../task/task.view.ts";

/** As a document of YAML; one that would take too long to write as a value, of which the diff only says that it is another. */
export function shownTask(task: TaskRow): ShownDocument {
  try {
    return viewTaskDocument(task, undefined);
  } catch (error) {
    if (error instanceof AppError && error.reason === "NOT_ACCEPTABLE") return shownDocument("Task", viewTask(task));
    throw error;
  }
}

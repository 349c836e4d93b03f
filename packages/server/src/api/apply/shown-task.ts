import { AppError } from "../../base/error/app-error.ts";
import type { ShownDocument } from "../../core/apply/diff-documents.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import type { TaskRow } from "../../store/task/tasks.ts";
import { viewTask, viewTaskDocument } from "../task/task.view.ts";

/** As a YAML document. If writing it as a value would take too long, the diff only says that it differs. */
export function shownTask(task: TaskRow): ShownDocument {
  try {
    return viewTaskDocument(task, undefined);
  } catch (error) {
    if (error instanceof AppError && error.reason === "NOT_ACCEPTABLE") return shownDocument("Task", viewTask(task));
    throw error;
  }
}

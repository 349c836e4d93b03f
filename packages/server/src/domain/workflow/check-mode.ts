import type { AppError } from "../../base/error/app-error.ts";
import type { NodeTask } from "../../store/task/task-uses.ts";

/**
 * The same rules decide what is saved and what a designer shows while someone draws. Saving stops at the first thing that is wrong;
 * checking goes on and tells all of them, and holds nothing.
 */
export interface CheckMode {
  /** What happens with something that is wrong. When it returns, the rest is looked at. */
  refuse(error: AppError): void;
  /** The tasks in use are held against deletion until the transaction ends. */
  holdsTasks: boolean;
  /** A task that is in no list; a reference by its id means it. */
  draft?: Omit<NodeTask, "wish"> | undefined;
}

export const saving: CheckMode = {
  refuse(error) {
    throw error;
  },
  holdsTasks: true,
};

import { useEffect, useState } from "react";
import type { Task } from "../../../api/queries/task/tasks.ts";
import type { TaskDraftState } from "../../../forms/task-form/task-draft.ts";

export interface StoredTask {
  task: Task;
  text: string;
  etag: string | undefined;
}

/** The version that the draft is based on, and the newer one if there is one. */
export interface TaskBase {
  text: string;
  etag: string | undefined;
  /** The state that someone else has saved in the meantime. */
  newer: StoredTask | undefined;
  /** Starts again from that text. */
  reset: (text: string, etag: string | undefined) => void;
}

/**
 * Follows the stored task while the draft has no changes. Otherwise the draft is kept, and the newer state is reported.
 * @param first what the draft is based on at the beginning
 */
export function useTaskBase(state: TaskDraftState, stored: StoredTask | undefined, first: Pick<TaskBase, "text" | "etag">): TaskBase {
  const [base, setBase] = useState(first);
  const { text, setText } = state;
  const isNewer = stored !== undefined && stored.etag !== base.etag;
  const isUntouched = text === base.text;
  const reset = (next: string, etag: string | undefined) => {
    setBase({ text: next, etag });
    setText(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when a newer state arrives
  useEffect(() => {
    if (isNewer && isUntouched) reset(stored.text, stored.etag);
  }, [isNewer, isUntouched, stored?.etag]);
  return { ...base, newer: isNewer && !isUntouched ? stored : undefined, reset };
}

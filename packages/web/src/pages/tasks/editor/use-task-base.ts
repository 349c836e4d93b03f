import { useEffect, useState } from "react";
import type { Task } from "../../../api/queries/task/tasks.ts";
import type { TaskDraftState } from "../../../forms/task-form/task-draft.ts";

export interface StoredTask {
  task: Task;
  text: string;
  etag: string | undefined;
}

/** What the draft began with, and what came after it. */
export interface TaskBase {
  text: string;
  etag: string | undefined;
  /** Somebody else has saved another state meanwhile. */
  newer: StoredTask | undefined;
  /** Starts over with that text. */
  reset: (text: string, etag: string | undefined) => void;
}

/** Follows what is stored as long as nothing is changed here. Then it waits, and is told. */
export function useTaskBase(state: TaskDraftState, stored: StoredTask | undefined, initial: string): TaskBase {
  const [base, setBase] = useState({ text: initial, etag: stored?.etag });
  const { text, setText } = state;
  const isNewer = stored !== undefined && stored.etag !== base.etag;
  const isUntouched = text === base.text;
  const reset = (next: string, etag: string | undefined) => {
    setBase({ text: next, etag });
    setText(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something newer came
  useEffect(() => {
    if (isNewer && isUntouched) reset(stored.text, stored.etag);
  }, [isNewer, isUntouched, stored?.etag]);
  return { ...base, newer: isNewer && !isUntouched ? stored : undefined, reset };
}

import { createContext, useContext } from "react";
import type { Run } from "../../api/queries/runs.ts";
import type { TaskRun } from "../../api/queries/task-runs.ts";

/** What the parts of the run page share. */
export interface RunView {
  team: string;
  run: Run;
  tasks: readonly TaskRun[];
  byName: ReadonlyMap<string, TaskRun>;
  chosen: TaskRun | undefined;
  /** Opens a task; undefined closes it. @param tab log or details; left out: what fits */
  choose: (id: string | undefined, tab?: string) => void;
}

export const RunViewContext = createContext<RunView | undefined>(undefined);

/** Only below the run page. */
export function useRunView(): RunView {
  const view = useContext(RunViewContext);
  if (view === undefined) throw new Error("there is no run around this");
  return view;
}

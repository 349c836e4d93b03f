import { createContext, type Dispatch, useContext } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { LoadedWorkflow, WorkflowProblem } from "../../api/queries/workflow/workflow-draft.ts";
import type { TextFault } from "../../forms/yaml-value.ts";
import type { Draft } from "./draft.ts";
import type { CodeFormat } from "./draft-text.ts";
import type { History, HistoryAction } from "./history.ts";

/** Text of the code view that can't be read yet, kept while another view is open. */
export interface PendingText {
  text: string;
  format: CodeFormat;
  faults: readonly TextFault[];
}

/** What is typed in a section of the configuration, by its form; `isUnreadable`: it can't stand in the draft yet. */
export interface TypedSection {
  value: object;
  isUnreadable: boolean;
}

/** What the views of one workflow share: its draft, what is known about its tasks, and what is wrong with it. */
export interface DraftSession {
  team: string;
  /** As the address has it. */
  workflow: string;
  loaded: LoadedWorkflow;
  history: History;
  /** The draft is a nested workflow, not the whole document. */
  isNested?: boolean;
  dispatch: Dispatch<HistoryAction>;
  /** Changes the draft; changes with the same key in a row are undone together. */
  change: (change: (draft: Draft) => Draft, key?: string) => void;
  isDirty: boolean;
  /** Why nothing can be changed; undefined: it can. */
  whyNotEdit: string | undefined;
  /** By name; undefined while they load. */
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
  problems: readonly WorkflowProblem[];
  isChecking: boolean;
  pendingText: PendingText | undefined;
  setPendingText: (text: PendingText | undefined) => void;
  /** By section, for texts that say more than the draft: a filter that is not JSON yet, a parameter without a name. */
  typed: ReadonlyMap<string, TypedSection>;
  setTyped: (section: string, typed: TypedSection | undefined) => void;
}

export const DraftContext = createContext<DraftSession | undefined>(undefined);

/** Only below `DraftProvider`. */
export function useDraft(): DraftSession {
  const session = useContext(DraftContext);
  if (!session) throw new Error("the draft is used outside of its workflow");
  return session;
}

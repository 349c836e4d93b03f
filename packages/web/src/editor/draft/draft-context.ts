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

/** The form input of a section of the configuration. `isUnreadable`: it can't be represented in the draft yet. */
export interface TypedSection {
  value: object;
  isUnreadable: boolean;
}

/** Unsaved changes of an earlier visit of this tab (kept-draft.ts). */
export interface RestoredDraft {
  /** The values of secrets that were left out: `send › password`; those of the workflow by their names. */
  leftOut: string[];
  /** RFC 3339. */
  at: string;
}

/** What the views of one workflow share: its draft, information about its tasks, and its problems. */
export interface DraftSession {
  team: string;
  /** The name in the URL. */
  workflow: string;
  loaded: LoadedWorkflow;
  history: History;
  /** Whether the draft is a nested workflow instead of the whole document. */
  isNested?: boolean;
  dispatch: Dispatch<HistoryAction>;
  /** Changes the draft. Consecutive changes with the same key are undone together. */
  change: (change: (draft: Draft) => Draft, key?: string) => void;
  isDirty: boolean;
  /** Why the draft can't be edited; undefined if it can. */
  whyNotEdit: string | undefined;
  /** By name; undefined while they load. */
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
  problems: readonly WorkflowProblem[];
  isChecking: boolean;
  pendingText: PendingText | undefined;
  setPendingText: (text: PendingText | undefined) => void;
  /** Input by section that the draft can't represent: a filter that isn't valid JSON yet, a parameter without a name. */
  typed: ReadonlyMap<string, TypedSection>;
  setTyped: (section: string, typed: TypedSection | undefined) => void;
  /** What the draft began with, if it is one of an earlier visit of this tab that was not saved. */
  restored: RestoredDraft | undefined;
}

export const DraftContext = createContext<DraftSession | undefined>(undefined);

/** Usable only inside `DraftProvider`. */
export function useDraft(): DraftSession {
  const session = useContext(DraftContext);
  if (!session) throw new Error("the draft is used outside of its workflow");
  return session;
}

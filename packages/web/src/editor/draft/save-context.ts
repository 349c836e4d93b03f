import { createContext, useContext } from "react";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";

export interface SaveOptions {
  /** Why, for the change log. */
  message?: string;
  /** Only these members of the draft; all others stay unsaved. */
  members?: readonly string[];
  /** What somebody else saved: this save keeps it, but for what both have changed. */
  over?: LoadedWorkflow;
  /** With the version that it is then; not when it was refused, or sent for approval. */
  onSaved?: (version: number) => void;
}

/** Saving the draft, and what came of it. */
export interface Saving {
  save: (options?: SaveOptions) => void;
  isSaving: boolean;
  error: unknown;
  forgetError: () => void;
  /** The draft, as it is now, was sent for approval: nothing of it is lost, but it is not published. */
  isSent: boolean;
  /** What somebody else has saved since this draft was read, and what can't be merged with it without a decision. */
  newer: LoadedWorkflow | undefined;
  isComparing: boolean;
  compare: (isOpen: boolean) => void;
  takeTheirs: () => void;
}

export const SaveContext = createContext<Saving | undefined>(undefined);

/** Only below `DraftProvider`. */
export function useSaving(): Saving {
  const saving = useContext(SaveContext);
  if (!saving) throw new Error("saving is used outside of its workflow");
  return saving;
}

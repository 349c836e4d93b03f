import { createContext, useContext } from "react";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";

export interface SaveOptions {
  /** The reason, for the change log. */
  message?: string;
  /** Saves only these members of the draft; all others stay unsaved. */
  members?: readonly string[];
  /** The version saved by someone else: this save keeps its changes, except where both changed the same thing. */
  over?: LoadedWorkflow;
  /** Called with the new version; not if the save was refused or sent for approval. */
  onSaved?: (version: number) => void;
}

/** Saving the draft, and the state of the last save. */
export interface Saving {
  save: (options?: SaveOptions) => void;
  isSaving: boolean;
  error: unknown;
  forgetError: () => void;
  /** Whether the draft in its current state was sent for approval: it is kept, but isn't published. */
  isSent: boolean;
  /** The version that someone else has saved since this draft was loaded, if it can't be merged without a decision. */
  newer: LoadedWorkflow | undefined;
  isComparing: boolean;
  compare: (isOpen: boolean) => void;
  takeTheirs: () => void;
}

export const SaveContext = createContext<Saving | undefined>(undefined);

/** Usable only inside `DraftProvider`. */
export function useSaving(): Saving {
  const saving = useContext(SaveContext);
  if (!saving) throw new Error("saving is used outside of its workflow");
  return saving;
}

import { createContext, useContext } from "react";
import type { PreviewReference, PreviewValue, WorkflowPreview } from "../../api/queries/workflow/trials.ts";
import type { KnownNames } from "./expressions.ts";

/** The current results of a task's expressions, and what they can refer to. */
export interface NodePreview {
  /** The value of that parameter, if it was requested for exactly this text; a response for an older text is ignored. */
  given: (param: string, text: string) => PreviewValue | undefined;
  references: readonly PreviewReference[];
  /** The results of its loop's condition and its forEach's list. */
  repeats: Pick<WorkflowPreview, "loop" | "items">;
  /** What can be checked without a request; undefined: nothing. */
  names: KnownNames | undefined;
  /** Why there is no preview. */
  error: unknown;
  /** Registers the field that has or last had the focus, so that text can be inserted into it. */
  setTarget: (insert: (text: string) => void) => void;
  /** Inserts the text into that field; returns false if there is none. */
  insert: (text: string) => boolean;
}

const nothing: NodePreview = {
  given: () => undefined,
  references: [],
  repeats: {},
  names: undefined,
  error: null,
  setTarget: () => {},
  insert: () => false,
};

export const PreviewContext = createContext<NodePreview>(nothing);

export function usePreview(): NodePreview {
  return useContext(PreviewContext);
}

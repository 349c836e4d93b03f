import { createContext, useContext } from "react";
import type { PreviewReference, PreviewValue, WorkflowPreview } from "../../api/queries/workflow/trials.ts";
import type { KnownNames } from "./expressions.ts";

/** What the expressions of one task give now, and what they may refer to. */
export interface NodePreview {
  /** The value of that parameter, if it was asked for with exactly this text; an answer about an older text is none. */
  given: (param: string, text: string) => PreviewValue | undefined;
  references: readonly PreviewReference[];
  /** What the condition of its loop, and the list of its forEach, give. */
  repeats: Pick<WorkflowPreview, "loop" | "items">;
  /** What can be told without asking; undefined: nothing. */
  names: KnownNames | undefined;
  /** Why nothing can be said. */
  error: unknown;
  /** A field that text can be put into, since it has the focus or had it last. */
  setTarget: (insert: (text: string) => void) => void;
  /** Puts the text into that field; false: there is none. */
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

import type { CompletionSource } from "@codemirror/autocomplete";
import { matchingReferences, openReference } from "./references.ts";

/** Completes references in a code editor, after `$(`. */
export function referenceCompletion(available: readonly string[]): CompletionSource {
  return (context) => {
    const { from: start, text } = context.state.doc.lineAt(context.pos);
    const open = openReference(text, context.pos - start);
    if (!open) return null;
    const isClosed = context.state.sliceDoc(context.pos, context.pos + 1) === ")";
    return {
      from: start + open.from + 2,
      filter: false,
      options: matchingReferences(available, open.typed).map((label) => ({
        label,
        type: "variable",
        apply: isClosed ? label : `${label})`,
      })),
    };
  };
}

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours of the tokens, so that both themes hold. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--status-running)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--status-succeeded)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--status-waiting)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.heading], color: "var(--accent)" },
  { tag: [tags.comment, tags.meta], color: "var(--ink-quiet)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--status-failed)" },
]);

/** @param minHeight CSS length; so is maxHeight */
export function editorLook(minHeight: string, maxHeight: string) {
  return EditorView.theme({
    "&": {
      border: "1px solid var(--line)",
      borderRadius: "4px",
      backgroundColor: "var(--ground)",
      color: "var(--ink)",
      fontSize: "13px",
      maxHeight,
    },
    "&.cm-focused": { outline: "2px solid var(--focus)" },
    ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "20px", minHeight, overflow: "auto" },
    ".cm-gutters": { backgroundColor: "var(--ground-sunken)", color: "var(--ink-quiet)", border: "none" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-ground)" },
    ".cm-tooltip": { backgroundColor: "var(--ground-raised)", color: "var(--ink)", border: "1px solid var(--line)" },
    ".cm-panels": { backgroundColor: "var(--ground-sunken)", color: "var(--ink)" },
    ".cm-placeholder": { color: "var(--ink-quiet)" },
  });
}

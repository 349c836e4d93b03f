import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, StreamLanguage } from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { python } from "@codemirror/legacy-modes/mode/python";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Syntax colours from the tokens, so that they work in both themes. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--status-running)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--status-succeeded)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--status-waiting)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.heading], color: "var(--accent)" },
  { tag: [tags.comment, tags.meta], color: "var(--ink-quiet)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--status-failed)" },
]);

/** @param minHeight a CSS length, like maxHeight */
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
    // What surrounds a dialog passes the pointer on to what is behind it; a tooltip there takes it.
    ".cm-tooltip": { backgroundColor: "var(--ground-raised)", color: "var(--ink)", border: "1px solid var(--line)", pointerEvents: "auto" },
    ".cm-panels": { backgroundColor: "var(--ground-sunken)", color: "var(--ink)" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-ground)", color: "var(--accent)" },
    ".cm-told": { maxWidth: "480px", padding: "4px 8px", fontSize: "13px", lineHeight: "18px", whiteSpace: "pre-wrap" },
    // The editor's own colours of these are meant for a light background; in the dark theme they hide the text.
    "&.cm-editor .cm-searchMatch": { backgroundColor: "var(--status-waiting-ground)", outline: "1px solid var(--status-waiting)" },
    "&.cm-editor .cm-searchMatch-selected": { backgroundColor: "var(--accent-ground)", outline: "2px solid var(--accent)" },
    "&.cm-editor .cm-selectionMatch": { backgroundColor: "var(--ground-hover)", outline: "1px solid var(--line-strong)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-ground)", outline: "1px solid var(--accent)" },
    "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--status-failed-ground)", color: "var(--status-failed)" },
    "&.cm-editor .cm-foldPlaceholder": { background: "var(--ground-hover)", borderColor: "var(--line-strong)", color: "var(--ink-quiet)" },
    "&.cm-editor .cm-panels-bottom": { borderTop: "1px solid var(--line)" },
    "&.cm-editor .cm-panel.cm-search [name=close]": { color: "var(--ink)" },
    "&.cm-editor .cm-textfield, &.cm-editor .cm-button": {
      background: "var(--ground)",
      border: "1px solid var(--line-strong)",
      color: "var(--ink)",
    },
    "&.cm-editor .cm-button:active": { background: "var(--ground-hover)" },
    ".cm-placeholder": { color: "var(--ink-quiet)" },
  });
}

export type CodeLanguage = "yaml" | "json" | "shell" | "javascript" | "python" | "markdown" | "text";

const languages: Readonly<Record<CodeLanguage, () => Extension>> = {
  yaml: () => yaml(),
  json: () => json(),
  markdown: () => markdown(),
  shell: () => StreamLanguage.define(shell),
  javascript: () => StreamLanguage.define(javascript),
  python: () => StreamLanguage.define(python),
  text: () => [],
};

export function languageOf(name: CodeLanguage = "text"): Extension {
  return languages[name]();
}

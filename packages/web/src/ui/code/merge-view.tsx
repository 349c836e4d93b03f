import { syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { type CodeLanguage, editorLook, highlighting, languageOf } from "./code-look.ts";
import { libraryWords } from "./library-words.ts";

export interface TextDiffProps {
  label: string;
  before: string;
  after: string;
  language?: CodeLanguage;
}

/** Shows removed and added text in the colours of the statuses, so that the text has enough contrast in both themes. */
const changeLook = EditorView.theme({
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--status-succeeded-ground)" },
  "&.cm-merge-b .cm-deletedChunk": { backgroundColor: "var(--status-failed-ground)" },
  "&.cm-merge-b .cm-deletedChunk, &.cm-merge-b .cm-deletedChunk *": { color: "var(--status-failed)" },
  "&.cm-merge-b .cm-deletedChunk .cm-deletedText": { background: "none", textDecoration: "underline" },
  "&.cm-merge-b .cm-changedLine .cm-changedText": { background: "none", textDecoration: "underline" },
  // The editor's default symbol for collapsed lines isn't in our font.
  "&.cm-merge-b .cm-collapsedLines::before, &.cm-merge-b .cm-collapsedLines::after": { content: '"…"' },
  "&.cm-merge-b .cm-collapsedLines": { background: "var(--ground-sunken)", color: "var(--ink-quiet)" },
});

/** Fills its place. In a single column, so that it is readable on narrow screens too; unchanged parts are collapsed. */
export function MergeView({ label, before, after, language }: TextDiffProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current as HTMLElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          languageOf(language),
          syntaxHighlighting(highlighting),
          editorLook("0", "100%"),
          changeLook,
          libraryWords,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // The default symbol isn't in our font.
          EditorView.theme({ "&": { height: "100%" }, ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' } }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after, language]);
  return <div ref={place} style={{ height: "100%" }} />;
}

import { syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { type CodeLanguage, languageOf } from "./code-language.ts";
import { editorLook, highlighting } from "./code-look.ts";

export interface TextDiffProps {
  label: string;
  before: string;
  after: string;
  language?: CodeLanguage;
}

/** In one column, so that it can be read on a narrow screen too; what did not change is folded. */
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
          editorLook("80px", "70vh"),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // The typeface has no picture for what stands there otherwise.
          EditorView.theme({ ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' } }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after, language]);
  return <div ref={place} />;
}

import { autocompletion, type CompletionSource, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, lineNumbers, placeholder as placeholderOf, tooltips } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { type CodeLanguage, editorLook, highlighting, languageOf } from "./code-look.ts";
import { libraryWords } from "./library-words.ts";

/** The description of a member, and its position in the text. */
type Told = { from: number; to: number; text: string } | undefined;

export interface CodeEditorProps {
  /** The label for screen readers. */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  language?: CodeLanguage;
  isReadOnly?: boolean;
  placeholder?: string;
  /** Takes the focus as soon as it is loaded, unless the user is already typing elsewhere or a dialog is open over it. */
  autoFocus?: boolean;
  /** CSS lengths between which it grows. */
  minHeight?: string;
  maxHeight?: string;
  /** The source of completions, e.g. parameters after `$(`. */
  complete?: CompletionSource;
  /** Shown in the text; positions are offsets. */
  diagnostics?: readonly Diagnostic[];
  /** Called each time the editor gets the focus, with a function that inserts text at the caret. */
  onFocus?: (insert: (text: string) => void) => void;
  /** The tooltip for the word under the pointer. */
  hover?: (text: string, at: number) => Told | Promise<Told>;
}

/** Runs something where a dialog has such a key, and never adds a line to the text that it runs. */
const runKey = { key: "Mod-Enter", run: () => true };

/** CodeMirror as a controlled field. Escape and then Tab leaves it by keyboard, as its own help says. */
export function CodeMirror(props: CodeEditorProps) {
  const {
    label,
    value,
    language,
    isReadOnly = false,
    placeholder = "",
    minHeight = "120px",
    maxHeight = "70vh",
    complete,
    diagnostics,
  } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(props.onChange);
  changed.current = props.onChange;
  const focused = useRef(props.onFocus);
  focused.current = props.onFocus;
  const completer = useRef(complete);
  completer.current = complete;
  const parts = useRef({ language: new Compartment(), access: new Compartment() });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once; later changes are passed to it below
  useEffect(() => {
    const own = new EditorView({
      parent: place.current as HTMLElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          lintGutter(),
          autocompletion({ override: complete === undefined ? null : [(context) => completer.current?.(context) ?? null] }),
          keymap.of([runKey, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, indentWithTab]),
          syntaxHighlighting(highlighting),
          editorLook(minHeight, maxHeight),
          aboveDialog(place.current as HTMLElement),
          placeholderOf(placeholder),
          libraryWords,
          ...(props.hover ? [hoverOf(props.hover)] : []),
          // Otherwise a read-only editor could not be reached by keyboard, and so not be scrolled.
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          parts.current.language.of(languageOf(language)),
          parts.current.access.of(access(isReadOnly)),
          EditorView.updateListener.of((update) => {
            if (update.focusChanged && update.view.hasFocus) focused.current?.((text) => insertInto(update.view, text));
            if (update.docChanged) changed.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = own;
    if (props.autoFocus && !isBusyElsewhere(own.dom)) own.focus();
    return () => own.destroy();
  }, []);

  useEffect(() => {
    const state = view.current?.state;
    if (state && state.doc.toString() !== value) view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.language.reconfigure(languageOf(language)) });
  }, [language]);
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.access.reconfigure(access(isReadOnly)) });
  }, [isReadOnly]);
  useEffect(() => {
    const own = view.current;
    if (own === null || diagnostics === undefined) return;
    const end = own.state.doc.length;
    const inside = diagnostics.map((one) => ({ ...one, from: Math.min(one.from, end), to: Math.min(one.to, end) }));
    own.dispatch(setDiagnostics(own.state, inside));
  }, [diagnostics]);

  return <div ref={place} />;
}

function hoverOf(hover: NonNullable<CodeEditorProps["hover"]>) {
  return hoverTooltip(async (view, at) => {
    const found = await hover(view.state.doc.toString(), at);
    if (found === undefined) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "cm-told";
      dom.textContent = found.text;
      return { dom };
    };
    return { pos: found.from, end: found.to, above: true, create };
  });
}

/** A dialog cuts off what reaches out of it, and each of its panes does so too: completions and hover texts are shown beside the dialog. */
function aboveDialog(own: HTMLElement) {
  const parent = own.closest("[role=dialog]")?.parentElement;
  return parent ? tooltips({ parent }) : [];
}

/** Whether the focus is in a text field, or in a dialog that doesn't contain this editor. */
function isBusyElsewhere(own: Element): boolean {
  const focused = document.activeElement;
  const dialog = focused?.closest("[role=dialog]");
  return focused?.closest("input, textarea, [contenteditable=true]") != null || (dialog != null && !dialog.contains(own));
}

function insertInto(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text));
  view.focus();
}

function access(isReadOnly: boolean) {
  return [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)];
}

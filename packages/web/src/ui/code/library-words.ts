import { EditorState } from "@codemirror/state";
import { t } from "../../texts/code.ts";
import { t as shared } from "../../texts/ui.ts";

/** What the editor itself says, by its own words: the panel to search (Ctrl+F), folded lines, and what it announces to screen readers. */
export const libraryWords = EditorState.phrases.of({
  Find: t("codeWords.find"),
  Replace: t("codeWords.replaceBy"),
  next: t("codeWords.next"),
  previous: t("codeWords.previous"),
  all: t("codeWords.all"),
  "match case": t("codeWords.matchCase"),
  regexp: t("codeWords.regularExpression"),
  "by word": t("codeWords.wholeWords"),
  replace: t("codeWords.replace"),
  "replace all": t("codeWords.replaceAll"),
  close: shared("theme.close"),
  "Go to line": t("codeWords.goToLine"),
  go: t("codeWords.go"),
  "current match": t("codeWords.currentMatch"),
  "on line": t("codeWords.onLine"),
  "Fold line": t("codeWords.fold"),
  "Unfold line": t("codeWords.unfold"),
  "folded code": t("codeWords.folded"),
  unfold: t("codeWords.unfold"),
  Completions: t("codeWords.completions"),
  "$ unchanged lines": t("codeWords.unchangedLines", { count: "$" }),
});

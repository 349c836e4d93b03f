import { translate } from "./language.ts";

/** Apart from the texts of other components: loaded with the editor. */
export const t = translate("code", {
  codeWords: {
    find: "Find",
    replaceBy: "Replace with",
    next: "Next",
    previous: "Previous",
    all: "Select all",
    matchCase: "Match case",
    regularExpression: "Regular expression",
    wholeWords: "Whole words",
    replace: "Replace",
    replaceAll: "Replace all",
    goToLine: "Go to line",
    go: "Go",
    currentMatch: "Current match",
    onLine: "on line",
    fold: "Fold lines",
    unfold: "Unfold lines",
    folded: "Folded lines",
    completions: "Completions",
    unchangedLines: "{count} unchanged lines",
  },
});

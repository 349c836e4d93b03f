import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/not-loaded.tsx";
import type { CodeEditorProps } from "./code-mirror.tsx";
import type { TextDiffProps } from "./merge-view.tsx";

const CodeMirror = lazy(() => import("./code-mirror.tsx").then((module) => ({ default: module.CodeMirror })));

/** An editor for scripts, YAML, JSON and Markdown; its code is loaded on first use. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<LoadingState label={t("codeEditor.loadingEditor")} rows={3} />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}

const MergeView = lazy(() => import("./merge-view.tsx").then((module) => ({ default: module.MergeView })));

/** Two texts and their differences; its code is loaded on first use. */
export function TextDiff(props: TextDiffProps) {
  return (
    <Suspense fallback={<LoadingState label={t("textDiff.loadingComparison")} rows={3} />}>
      <MergeView {...props} />
    </Suspense>
  );
}

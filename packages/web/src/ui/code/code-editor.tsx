import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/loading-state.tsx";
import type { CodeEditorProps } from "./code-mirror.tsx";

const CodeMirror = lazy(() => import("./code-mirror.tsx").then((module) => ({ default: module.CodeMirror })));

/** An editor for scripts, YAML, JSON and Markdown; its code is loaded when the first one is shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<LoadingState label={t("codeEditor.loadingEditor")} rows={3} />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}

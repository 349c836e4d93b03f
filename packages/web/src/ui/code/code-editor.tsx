import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/not-loaded.tsx";
import type { CodeEditorProps } from "./code-mirror.tsx";
import type { TextDiffProps } from "./merge-view.tsx";

const load = () => import("./code-mirror.tsx").then((module) => ({ default: module.CodeMirror }));
const CodeMirror = lazy(load);

/** Loads the editor before it is shown: what is typed for it until it is there would be lost. */
export function loadCodeEditor(): void {
  // Without the network, the editor itself tries again and says so.
  load().catch(() => {});
}

/** An editor for scripts, YAML, JSON and Markdown; its code is loaded on first use. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<LoadingState label={t("codeEditor.loadingEditor")} rows={3} />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}

const MergeView = lazy(() => import("./merge-view.tsx").then((module) => ({ default: module.MergeView })));

/**
 * Two texts and their differences; its code is loaded on first use. Its place has the same height before and after, so that nothing below
 * moves while it is drawn: a click on a button that moves between press and release is lost.
 */
export function TextDiff(props: TextDiffProps) {
  return (
    <div style={{ height: diffHeight(props.before, props.after), maxHeight: "70vh", overflow: "hidden" }}>
      <Suspense fallback={<LoadingState label={t("textDiff.loadingComparison")} rows={2} />}>
        <MergeView {...props} />
      </Suspense>
    </div>
  );
}

const linePx = 20;
/** Above and below the lines: the padding and the border of the editor, and a scrollbar for long lines. */
const framePx = 24;
const foldedPx = 30;
/** Unchanged lines shown beside a change, and how many more there must be to be folded: as in `MergeView`. */
const shownBeside = 3;
const foldedFrom = 6;

/** Room for what a comparison draws, in px: exact if all changes are beside each other, otherwise the most that it can take. */
export function diffHeight(before: string, after: string): number {
  const old = before.split("\n");
  const now = after.split("\n");
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const changed = old.length + now.length - 2 * (head + tail);
  return framePx + changed * linePx + unchangedPx(head) + unchangedPx(tail);
}

function unchangedPx(lines: number): number {
  return lines - shownBeside < foldedFrom ? lines * linePx : shownBeside * linePx + foldedPx;
}

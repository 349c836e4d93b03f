import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/loading-state.tsx";
import type { TextDiffProps } from "./merge-view.tsx";

const MergeView = lazy(() => import("./merge-view.tsx").then((module) => ({ default: module.MergeView })));

/** Two texts and what differs between them; the code for it is loaded when the first one is shown. */
export function TextDiff(props: TextDiffProps) {
  return (
    <Suspense fallback={<LoadingState label={t("textDiff.loadingComparison")} rows={3} />}>
      <MergeView {...props} />
    </Suspense>
  );
}

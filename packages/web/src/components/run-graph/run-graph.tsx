import { lazy, Suspense } from "react";
import { t } from "../../texts/run.ts";
import { LoadingState } from "../../ui/state/loading-state.tsx";
import type { RunCanvasProps } from "./run-canvas.tsx";

const RunCanvas = lazy(() => import("./run-canvas.tsx").then((module) => ({ default: module.RunCanvas })));

/** The graph of a run; what draws it is loaded when the first one is shown. */
export function RunGraph(props: RunCanvasProps) {
  return (
    <Suspense fallback={<LoadingState label={t("runGraph.loadingGraph")} />}>
      <RunCanvas {...props} />
    </Suspense>
  );
}

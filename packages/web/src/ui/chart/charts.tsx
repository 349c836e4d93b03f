import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/not-loaded.tsx";
import type { ChartProps } from "./series.ts";

const Bars = lazy(() => import("./stacked-bars.tsx").then((module) => ({ default: module.StackedBars })));
const Lines = lazy(() => import("./line-points.tsx").then((module) => ({ default: module.LinePoints })));

/** Stacked bars; the code that draws them is loaded on first use. */
export function StackedBarChart(props: ChartProps) {
  return (
    <Suspense fallback={<LoadingState label={t("charts.loadingChart")} rows={6} />}>
      <Bars {...props} />
    </Suspense>
  );
}

/** Lines with points; also loaded on first use. */
export function LineChart(props: ChartProps) {
  return (
    <Suspense fallback={<LoadingState label={t("charts.loadingChart")} rows={6} />}>
      <Lines {...props} />
    </Suspense>
  );
}

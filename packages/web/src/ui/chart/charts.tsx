import { lazy, Suspense } from "react";
import { t } from "../../texts/ui.ts";
import { LoadingState } from "../state/not-loaded.tsx";
import classes from "./chart.module.css";
import type { ChartProps } from "./series.ts";

const Bars = lazy(() => import("./stacked-bars.tsx").then((module) => ({ default: module.StackedBars })));
const Lines = lazy(() => import("./line-points.tsx").then((module) => ({ default: module.LinePoints })));

/** As high as a chart with one line of labels: what is below must not move when the chart comes. */
function NoChart() {
  return (
    <div className={classes.pending}>
      <LoadingState label={t("charts.loadingChart")} rows={6} />
    </div>
  );
}

/** Stacked bars; the code that draws them is loaded on first use. */
export function StackedBarChart(props: ChartProps) {
  return (
    <Suspense fallback={<NoChart />}>
      <Bars {...props} />
    </Suspense>
  );
}

/** Lines with points; also loaded on first use. */
export function LineChart(props: ChartProps) {
  return (
    <Suspense fallback={<NoChart />}>
      <Lines {...props} />
    </Suspense>
  );
}

import classes from "./chart.module.css";
import type { ChartRow, Series } from "./series.ts";

interface ChartTipProps {
  row: ChartRow | undefined;
  series: readonly Series[];
  format: (value: number) => string;
  hint?: string | undefined;
}

/** What lies under the pointer, exactly. */
export function ChartTip({ row, series, format, hint }: ChartTipProps) {
  if (row === undefined) return null;
  return (
    <div className={classes.tip}>
      <strong>{row.title}</strong>
      {series.map(({ key, label }) => {
        const value = row.values[key];
        return (
          <div key={key} className={classes.tipLine}>
            <span>{label}</span>
            <span>{value === null || value === undefined ? "–" : format(value)}</span>
          </div>
        );
      })}
      {hint && <div className="quiet">{hint}</div>}
    </div>
  );
}

import { useId } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { t } from "../../texts/ui.ts";
import classes from "./chart.module.css";
import { ChartTip, Fills, fillOf, Legend } from "./chart-frame.tsx";
import { type ChartProps, dayAxis, valueAxis } from "./series.ts";

/** Stacked bars over a time axis. A bar links to what it counts. Loaded through charts.tsx. */
export function StackedBars({ label, rows, series, format, onChoose }: ChartProps) {
  const id = useId();
  const data = rows.map(({ key, label: axis, values }) => ({ key, axis, ...values }));
  return (
    <>
      <Legend series={series} />
      <div className={classes.chart} role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={220}>
          <BarChart data={data} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <Fills series={series} id={id} />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis {...dayAxis} />
            <YAxis width={40} allowDecimals={false} {...valueAxis} tickFormatter={format} />
            <Tooltip
              cursor={{ fill: "var(--ground-hover)" }}
              isAnimationActive={false}
              content={({ active, activeIndex }) =>
                active ? (
                  <ChartTip
                    row={rows[Number(activeIndex)]}
                    series={series}
                    format={format}
                    hint={onChoose && t("stackedBars.clickBarRuns")}
                  />
                ) : null
              }
            />
            {series.map(({ key, label: name, color }) => (
              <Bar
                key={key}
                dataKey={key}
                name={name}
                stackId="all"
                fill={fillOf(id, key)}
                stroke={color}
                maxBarSize={40}
                isAnimationActive={false}
                {...(onChoose && { cursor: "pointer" })}
                onClick={(_, index) => {
                  const row = rows[index];
                  if (row) onChoose?.(row.key, key);
                }}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </>
  );
}

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { t } from "../../texts/ui.ts";
import classes from "./chart.module.css";
import { ChartTip, Legend } from "./chart-frame.tsx";
import { type ChartProps, dayAxis, valueAxis } from "./series.ts";

/** Lines over a time axis, with a point for each value; missing values leave a gap. */
export function LinePoints({ label, rows, series, format, ticksOf, onChoose }: ChartProps) {
  const data = rows.map(({ key, label: axis, values }) => ({ key, axis, ...values }));
  const most = Math.max(0, ...rows.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0)));
  const ticks = ticksOf?.(most);
  return (
    <>
      <Legend series={series} />
      <div className={classes.chart} role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={220}>
          <LineChart
            data={data}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
            {...(onChoose && { style: { cursor: "pointer" } })}
            onClick={({ activeIndex }) => {
              const row = rows[Number(activeIndex)];
              if (row && series[0]) onChoose?.(row.key, series[0].key);
            }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis {...dayAxis} />
            <YAxis
              width={64}
              {...valueAxis}
              tickFormatter={format}
              {...(ticks && { ticks, domain: [0, ticks[ticks.length - 1] ?? most] as [number, number] })}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: "var(--line-strong)" }}
              content={({ active, activeIndex }) =>
                active ? (
                  <ChartTip
                    row={rows[Number(activeIndex)]}
                    series={series}
                    format={format}
                    hint={onChoose && t("linePoints.clickRunsDay")}
                  />
                ) : null
              }
            />
            {series.map(({ key, label: name, color }) => (
              <Line
                key={key}
                dataKey={key}
                name={name}
                stroke={color}
                strokeWidth={2}
                dot={{ r: 3, fill: color }}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
    </>
  );
}

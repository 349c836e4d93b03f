import { Button, Group, Title } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { t } from "../../texts/ui.ts";
import classes from "./chart.module.css";
import type { ChartRow, Series } from "./series.ts";

interface ChartFrameProps {
  title: string;
  /** What the chart shows, and the unit. */
  detail?: ReactNode;
  chart: ReactNode;
  /** The same numbers, for screen readers and for exact values. */
  table: ReactNode;
}

/** A chart with its title, and a button that shows its numbers as a table. */
export function ChartFrame({ title, detail, chart, table }: ChartFrameProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={classes.frame} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="xs" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} id={id} className={classes.title}>
            {title}
          </Title>
          {detail && <div className={`quiet ${classes.detail}`}>{detail}</div>}
        </div>
        <Button size="compact-xs" variant="default" aria-pressed={isTable} onClick={() => setTable(!isTable)} style={{ flex: "none" }}>
          {isTable ? t("chartFrame.showChart") : t("chartFrame.showTable")}
        </Button>
      </Group>
      {isTable ? <div className={classes.table}>{table}</div> : chart}
    </section>
  );
}

/** The labels of a chart's series, each with its colour and pattern. */
export function Legend({ series }: { series: readonly Series[] }) {
  const id = useId();
  return (
    <ul className={classes.legend}>
      {series.map((one) => (
        <li key={one.key}>
          <svg width={12} height={12} aria-hidden="true">
            <Fills series={[one]} id={id} />
            <rect width={12} height={12} rx={2} fill={fillOf(id, one.key)} stroke={one.color} />
          </svg>
          {one.label}
        </li>
      ))}
    </ul>
  );
}

interface ChartTipProps {
  row: ChartRow | undefined;
  series: readonly Series[];
  format: (value: number) => string;
  hint?: string | undefined;
}

/** The exact values under the pointer. */
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

/** The patterns of the series as SVG definitions; `fillOf` names them. */
export function Fills({ series, id }: { series: readonly Series[]; id: string }) {
  return (
    <defs>
      {series.map(({ key, color, fill }) => (
        <pattern
          key={key}
          id={`${id}-${key}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform={fill === "hatched" ? "rotate(45)" : undefined}
        >
          <rect width={6} height={6} fill={color} fillOpacity={fill === "solid" ? 1 : 0.35} />
          {fill === "hatched" && <rect width={3} height={6} fill={color} />}
          {fill === "dotted" && <circle cx={3} cy={3} r={1.5} fill={color} />}
        </pattern>
      ))}
    </defs>
  );
}

export function fillOf(id: string, key: string): string {
  return `url(#${id}-${key})`;
}

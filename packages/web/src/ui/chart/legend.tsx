import { useId } from "react";
import classes from "./chart.module.css";
import { Fills, fillOf } from "./fills.tsx";
import type { Series } from "./series.ts";

/** The words of a chart's series, each with its colour and pattern. */
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

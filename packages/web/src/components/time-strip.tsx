import type { components } from "@millrace/client/schema.generated.ts";
import { timeKinds } from "@millrace/contract/run/time-kinds.ts";
import { useId } from "react";
import { t } from "../texts/shared.ts";
import { Fills, fillOf } from "../ui/chart/chart-frame.tsx";
import type { Series } from "../ui/chart/series.ts";
import { durationText } from "../ui/time/time-format.ts";
import classes from "./time-strip.module.css";

export type TaskTimes = components["schemas"]["TaskTimes"];

const looks: readonly (Series & { key: keyof TaskTimes })[] = [
  { key: "worker", label: t("timeKinds.worker"), color: "var(--status-succeeded)", fill: "solid" },
  { key: "queue", label: t("timeKinds.queue"), color: "var(--status-queued)", fill: "solid" },
  { key: "quota", label: t("timeKinds.quota"), color: "var(--status-queued)", fill: "hatched" },
  { key: "start", label: t("timeKinds.start"), color: "var(--status-queued)", fill: "dotted" },
  { key: "retry", label: t("timeKinds.retry"), color: "var(--status-failed)", fill: "hatched" },
  { key: "lock", label: t("timeKinds.lock"), color: "var(--status-waiting)", fill: "hatched" },
  { key: "person", label: t("timeKinds.person"), color: "var(--status-waiting)", fill: "solid" },
  { key: "event", label: t("timeKinds.event"), color: "var(--accent)", fill: "hatched" },
  { key: "sleep", label: t("timeKinds.sleep"), color: "var(--status-cancelled)", fill: "dotted" },
  { key: "run", label: t("timeKinds.run"), color: "var(--accent)", fill: "solid" },
];

/** How time was spent: a strip, with each kind and its duration below it. */
export function TimeStrip({ times }: { times: TaskTimes }) {
  const id = useId();
  const sum = timeKinds.reduce((total, kind) => total + times[kind], 0);
  if (sum === 0) return <p className="quiet">{t("timeKinds.nothing")}</p>;
  const shown = looks.filter(({ key }) => times[key] > 0);
  let at = 0;
  const parts = shown.map((look) => {
    const left = at;
    at += times[look.key];
    return { ...look, left: (100 * left) / sum, width: (100 * times[look.key]) / sum };
  });
  return (
    <>
      <svg className={classes.strip} aria-hidden="true">
        <Fills series={shown} id={id} />
        {parts.map(({ key, left, width }) => (
          <rect key={key} x={`${left}%`} width={`${width}%`} height={12} fill={fillOf(id, key)} />
        ))}
      </svg>
      <ul className={classes.list}>
        {shown.map((look) => (
          <li key={look.key}>
            <svg width={12} height={12} aria-hidden="true">
              <rect width={12} height={12} rx={2} fill={fillOf(id, look.key)} stroke={look.color} />
            </svg>
            {look.label} {durationText(times[look.key])}
          </li>
        ))}
      </ul>
    </>
  );
}

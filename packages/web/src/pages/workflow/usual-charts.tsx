import { usualRunsNeeded } from "@millrace/contract/run/usual-runs.ts";
import { useId } from "react";
import type { WorkflowOverview } from "../../api/queries/workflow/workflow-overview.ts";
import { successText } from "../../components/success-rate.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { statusLook } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import classes from "./usual-charts.module.css";

type Usual = WorkflowOverview["usual"];
type Range = Usual["duration"];
type Run = WorkflowOverview["runs"][number];

/** Success, duration and queue time of the last runs, compared with the usual values of the workflow. */
export function UsualCharts({ usual, runs }: { usual: Usual; runs: readonly Run[] }) {
  const shown = runs.toReversed();
  return (
    <div className={classes.charts}>
      <OutcomeStrip usual={usual} runs={shown} />
      <RangeChart
        title={t("usual.duration")}
        range={usual.succeeded >= usualRunsNeeded ? usual.duration : undefined}
        limit={least(usual.expected, usual.deadline)}
        limitWords={expectedLimitWords(usual)}
        values={shown.map(({ phase, duration, status }) =>
          phase === "running" || duration === 0 ? undefined : { value: duration, status },
        )}
      />
      <RangeChart
        title={t("usual.queueTime")}
        range={usual.succeeded >= usualRunsNeeded ? usual.queueTime : undefined}
        limit={undefined}
        limitWords={[]}
        values={shown.map(({ queued, status }) => (queued === undefined ? undefined : { value: queued, status }))}
      />
    </div>
  );
}

/** The lower of the two limits for the duration of a run. */
function least(expected: number | undefined, deadline: number | undefined): number | undefined {
  return expected === undefined || deadline === undefined ? (expected ?? deadline) : Math.min(expected, deadline);
}

function expectedLimitWords({ expected, deadline }: Usual): string[] {
  return [
    ...(expected === undefined ? [] : [t("usual.expected", { duration: durationText(expected) })]),
    ...(deadline === undefined ? [] : [t("usual.deadline", { deadline: durationText(deadline) })]),
  ];
}

function OutcomeStrip({ usual, runs }: { usual: Usual; runs: readonly Run[] }) {
  const id = useId();
  const { succeeded, failed } = usual;
  const count = succeeded + failed;
  return (
    <section className={classes.chart} aria-labelledby={id}>
      <h3 id={id}>{t("usual.success")}</h3>
      <p className={classes.value}>{count === 0 ? "–" : successText(succeeded, count)}</p>
      <div className={classes.strip} role="img" aria-label={t("usual.outcomes", { count: runs.length })}>
        {runs.map(({ id: run, status, phase, waitKinds }) => (
          <span key={run} data-tone={statusLook(status, phase, waitKinds).tone} />
        ))}
      </div>
      <p className="quiet">{count === 0 ? t("usual.noneEnded") : t("usual.succeededOf", { succeeded, count })}</p>
    </section>
  );
}

const width = 300;
/** Space at the right for the labels of the scale. */
const axisWidth = 44;
const height = 56;

interface RangeChartProps {
  title: string;
  /** Undefined: there are no usual values yet. */
  range: Range | undefined;
  /** The upper limit, drawn as a line. */
  limit: number | undefined;
  limitWords: readonly string[];
  /** One value per run, oldest first; undefined: unknown. */
  values: readonly ({ value: number; status: Run["status"] } | undefined)[];
}

/** Each run as a dot, over a band that contains eight of ten runs and a line for the median. */
function RangeChart({ title, range, limit, limitWords, values }: RangeChartProps) {
  const id = useId();
  const known = values.flatMap((one) => one?.value ?? []);
  const top = Math.max(1, range?.p90 ?? 0, ...known);
  const isLimitNear = limit !== undefined && limit <= 3 * top;
  const most = isLimitNear ? Math.max(top, limit) : top;
  const y = (value: number) => height - 4 - ((height - 8) * value) / most;
  const words = wordsOf(range);
  return (
    <section className={classes.chart} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p className={classes.value}>{range?.p50 != null ? durationText(range.p50) : known.length > 0 ? durationText(known.at(-1)!) : "–"}</p>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("usual.chart", { what: title, count: values.length, usual: words })}>
        {range?.p10 != null && range.p90 !== null && range.p50 !== null && (
          <>
            <rect x={0} width={width} y={y(range.p90) - 1} height={Math.max(2, y(range.p10) - y(range.p90) + 2)} className={classes.band} />
            <line x1={0} x2={width} y1={y(range.p50)} y2={y(range.p50)} className={classes.middle} />
          </>
        )}
        {isLimitNear && <line x1={0} x2={width} y1={y(limit)} y2={y(limit)} className={classes.limit} />}
        {values.map((one, place) => {
          if (one === undefined) return null;
          const x = 6 + ((width - axisWidth - 12) * place) / Math.max(1, values.length - 1);
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is identified by its position
          return <circle key={place} cx={x} cy={y(one.value)} r={2.5} data-tone={statusLook(one.status).tone} className={classes.dot} />;
        })}
        <text x={width} y={10} textAnchor="end" className={classes.axis}>
          {durationText(most)}
        </text>
      </svg>
      <p className="quiet">{words}</p>
      {limitWords.map((text) => (
        <p key={text} className="quiet">
          {text}
        </p>
      ))}
    </section>
  );
}

function wordsOf(range: Range | undefined): string {
  if (range?.p50 == null || range.p10 === null || range.p90 === null) return t("usual.notYetUsual");
  const [median, low, high] = [range.p50, range.p10, range.p90].map(durationText) as [string, string, string];
  return low === high ? t("usual.usually", { duration: median }) : t("usual.usuallyBetween", { median, low, high });
}

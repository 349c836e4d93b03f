import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Forecast, forecastQuery } from "../../api/queries/run/insights.ts";
import { t } from "../../texts/run/insights.ts";
import { ChartFrame } from "../../ui/chart/chart-frame.tsx";
import { StackedBarChart } from "../../ui/chart/charts.tsx";
import type { ChartRow, Series } from "../../ui/chart/series.ts";
import { dateFormat } from "../../ui/format.ts";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import classes from "./insights.module.css";

const series: readonly Series[] = [
  { key: "runs", label: t("forecast.runs"), color: "var(--accent)", fill: "solid" },
  { key: "over", label: t("forecast.over"), color: "var(--status-failed)", fill: "hatched" },
];
const periods = [
  { value: "24", label: t("forecast.day") },
  { value: "168", label: t("forecast.week") },
];
const hourOnly = dateFormat({ hour: "2-digit", minute: "2-digit" });
const dayAndHour = dateFormat({ weekday: "short", hour: "2-digit", minute: "2-digit" });
const whole = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** The runs that a team's schedules are going to start, and the hours in which they exceed its quotas. */
export function ForecastSection({ team }: { team: string }) {
  const [hours, setHours] = useState("24");
  const query = useQuery(forecastQuery(team, Number(hours)));
  return (
    <QueryView query={query} label={t("forecast.loading")} rows={4}>
      {(data) => (
        <ChartFrame
          title={t("forecast.title")}
          detail={t("forecast.detail")}
          chart={
            <>
              <SegmentedControl size="xs" aria-label={t("forecast.period")} data={periods} value={hours} onChange={setHours} mb="xs" />
              {data.totalRuns > 0 && <StackedBarChart label={t("forecast.chart")} rows={rowsOf(data)} series={series} format={String} />}
              <ForecastWords data={data} />
            </>
          }
          table={<HourTable data={data} />}
        />
      )}
    </QueryView>
  );
}

const isOver = ({ isOverConcurrent, isOverMonthly }: Forecast["hours"][number]) => isOverConcurrent || isOverMonthly;

function rowsOf({ hours }: Forecast): ChartRow[] {
  const short = hours.length > 24 ? dayAndHour : hourOnly;
  return hours.map((hour) => ({
    key: hour.date,
    label: short.format(new Date(hour.date)),
    title: whole.format(new Date(hour.date)),
    values: { runs: isOver(hour) ? 0 : hour.runs, over: isOver(hour) ? hour.runs : 0 },
  }));
}

/** The chart in sentences. */
function ForecastWords({ data }: { data: Forecast }) {
  const { hours, maxConcurrentRuns, maxWorkflowRunMonthly, runsThisMonth, runsOfUnknownDuration, isPartial, totalRuns } = data;
  const concurrent = hours.filter(({ isOverConcurrent }) => isOverConcurrent);
  const monthly = hours.find(({ isOverMonthly }) => isOverMonthly);
  const at = (date: string) => whole.format(new Date(date));
  const texts = [
    concurrent[0] && t("forecast.overConcurrent", { hours: concurrent.length, max: maxConcurrentRuns ?? 0, first: at(concurrent[0].date) }),
    monthly && t("forecast.overMonthly", { max: maxWorkflowRunMonthly ?? 0, used: runsThisMonth, first: at(monthly.date) }),
    totalRuns === 0 ? t("forecast.none") : concurrent.length === 0 && !monthly && t("forecast.fits"),
    runsOfUnknownDuration > 0 && t("forecast.unknown", { count: runsOfUnknownDuration }),
    isPartial && t("forecast.partial"),
  ];
  return (
    <div className={classes.words}>
      {texts.map(
        (text) =>
          text && (
            <Text key={text} size="sm">
              {text}
            </Text>
          ),
      )}
    </div>
  );
}

function HourTable({ data }: { data: Forecast }) {
  return (
    <DataTable
      label={t("forecast.title")}
      isBare
      rows={data.hours}
      keyOf={({ date }) => date}
      columns={[
        { title: t("forecast.hour"), kind: "short", cell: ({ date }) => whole.format(new Date(date)) },
        { title: t("forecast.total"), kind: "number", cell: ({ runs }) => runs },
        {
          title: t("forecast.concurrent"),
          kind: "number",
          cell: (hour) => (
            <>
              {hour.concurrent} {isOver(hour) && <span className={classes.over}>{t("forecast.exceeds")}</span>}
            </>
          ),
        },
      ]}
    />
  );
}

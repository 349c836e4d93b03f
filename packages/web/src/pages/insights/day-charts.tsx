import { Anchor } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Insight } from "../../api/queries/run/insights.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/insights.ts";
import { ChartFrame } from "../../ui/chart/chart-frame.tsx";
import { LineChart, StackedBarChart } from "../../ui/chart/charts.tsx";
import { type ChartRow, durationTicks, type Series } from "../../ui/chart/series.ts";
import { dateFormat, numberText } from "../../ui/format.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { duration } from "./insight-totals.tsx";
import { type RunsSearch, runsOfDay } from "./runs-search.ts";

interface DayChartsProps {
  data: Insight;
  /** The team whose runs the charts link to; undefined: no links. */
  team: string | undefined;
  workflows: readonly string[];
}

const runSeries: readonly Series[] = [
  { key: "succeeded", label: t("dayCharts.succeeded"), color: "var(--status-succeeded)", fill: "solid" },
  { key: "failed", label: t("dayCharts.failedTimedOutInvalid"), color: "var(--status-failed)", fill: "hatched" },
  { key: "other", label: t("dayCharts.cancelledProgress"), color: "var(--status-cancelled)", fill: "dotted" },
];
const durationSeries: readonly Series[] = [{ key: "median", label: t("dayCharts.median"), color: "var(--accent)", fill: "solid" }];

const short = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });
const withYear = dateFormat({ day: "numeric", month: "short", year: "2-digit", timeZone: "UTC" });
/** In a longer time the same day could be there twice. */
const daysOfOneYear = 300;
const long = dateFormat({ dateStyle: "full", timeZone: "UTC" });

function rowsOf({ days }: Insight): ChartRow[] {
  const ofAxis = days.length > daysOfOneYear ? withYear : short;
  return days.map(({ date, total, succeeded, failed, medianDuration }) => ({
    key: date,
    label: ofAxis.format(new Date(date)),
    title: long.format(new Date(date)),
    values: {
      succeeded,
      failed,
      other: total - succeeded - failed,
      median: succeeded + failed > 0 || medianDuration > 0 ? medianDuration : null,
    },
  }));
}

/** The runs of each day by outcome, and their duration. */
export function DayCharts({ data, team, workflows }: DayChartsProps) {
  const navigate = useNavigate();
  const rows = rowsOf(data);
  const searchOf = (day: string, series?: string) => runsOfDay(data.timezone, day, workflows, series);
  const choose =
    team === undefined
      ? undefined
      : (day: string, series: string) => void navigate({ to: paths.activity(team), search: searchOf(day, series) });
  const table = (series: readonly Series[], format: (value: number | null) => string, words: (key: string) => string | undefined) => (
    <DayTable rows={rows} series={series} format={format} team={team} searchOf={(day, key) => searchOf(day, words(key))} />
  );
  return (
    <>
      <ChartFrame
        title={t("dayCharts.runsPerDay")}
        detail={t("dayCharts.runsCreationDate", { timezone: data.timezone })}
        chart={
          <StackedBarChart
            label={t("dayCharts.runsPerDayOutcome")}
            rows={rows}
            series={runSeries}
            format={numberText}
            {...(choose && { onChoose: choose })}
          />
        }
        table={table(
          runSeries,
          (value) => numberText(value ?? 0),
          (key) => key,
        )}
      />
      <ChartFrame
        title={t("dayCharts.durationPerDay")}
        detail={t("dayCharts.medianStartEndFinished")}
        chart={
          <LineChart
            label={t("dayCharts.medianDurationPerDay")}
            rows={rows}
            series={durationSeries}
            format={durationText}
            ticksOf={durationTicks}
            {...(choose && { onChoose: (day: string) => choose(day, "ended") })}
          />
        }
        table={table(durationSeries, duration, () => "ended")}
      />
    </>
  );
}

interface DayTableProps {
  rows: readonly ChartRow[];
  series: readonly Series[];
  format: (value: number | null) => string;
  team: string | undefined;
  searchOf: (day: string, series: string) => RunsSearch;
}

/** The latest day comes first. */
function DayTable({ rows, series, format, team, searchOf }: DayTableProps) {
  const linked = (day: string, key: string, value: number | null) =>
    team !== undefined && value ? (
      <Anchor inherit component={PlaceLink} to={paths.activity(team)} search={searchOf(day, key)} c="inherit">
        {format(value)}
      </Anchor>
    ) : (
      format(value)
    );
  return (
    <DataTable
      label={t("dayCharts.day")}
      isBare
      rows={rows.toReversed()}
      keyOf={(row) => row.key}
      columns={[
        { title: t("dayCharts.day"), cell: ({ title }) => title },
        ...series.map(
          ({ key, label }): Column<ChartRow> => ({
            title: label,
            kind: "number",
            cell: (row) => linked(row.key, key, row.values[key] ?? null),
          }),
        ),
      ]}
    />
  );
}

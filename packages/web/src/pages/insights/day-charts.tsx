import { Anchor, Table } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Insight } from "../../api/queries/insights.ts";
import { paths } from "../../paths.ts";
import { ChartFrame } from "../../ui/chart/chart-frame.tsx";
import { LineChart, StackedBarChart } from "../../ui/chart/charts.tsx";
import { durationTicks } from "../../ui/chart/duration-ticks.ts";
import type { ChartRow, Series } from "../../ui/chart/series.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { duration } from "./insight-totals.tsx";
import { type RunsSearch, runsOfDay } from "./runs-search.ts";

interface DayChartsProps {
  data: Insight;
  /** Whose runs the charts lead to; undefined: they lead nowhere. */
  team: string | undefined;
  workflows: readonly string[];
}

const runSeries: readonly Series[] = [
  { key: "succeeded", label: "Succeeded", color: "var(--status-succeeded)", fill: "solid" },
  { key: "failed", label: "Failed, timed out or invalid", color: "var(--status-failed)", fill: "hatched" },
  { key: "other", label: "Cancelled or in progress", color: "var(--status-cancelled)", fill: "dotted" },
];
const durationSeries: readonly Series[] = [{ key: "median", label: "Median", color: "var(--accent)", fill: "solid" }];

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" });

function rowsOf({ days }: Insight): ChartRow[] {
  return days.map(({ date, total, succeeded, failed, medianDuration }) => ({
    key: date,
    label: short.format(new Date(date)),
    title: long.format(new Date(date)),
    values: { succeeded, failed, other: total - succeeded - failed, median: medianDuration > 0 ? medianDuration : null },
  }));
}

/** Runs of each day by how they ended, and how long they took. */
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
        title="Runs per day"
        detail={`Runs by creation date, in ${data.timezone}`}
        chart={
          <StackedBarChart
            label="Runs per day by outcome"
            rows={rows}
            series={runSeries}
            format={String}
            {...(choose && { onChoose: choose })}
          />
        }
        table={table(
          runSeries,
          (value) => String(value ?? 0),
          (key) => key,
        )}
      />
      <ChartFrame
        title="Duration per day"
        detail="Median from start to end of the finished runs"
        chart={
          <LineChart
            label="Median duration per day"
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

/** The latest day first. */
function DayTable({ rows, series, format, team, searchOf }: DayTableProps) {
  return (
    <Table verticalSpacing={2} stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          {series.map(({ key, label }) => (
            <Table.Th key={key} ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.toReversed().map((row) => (
          <Table.Tr key={row.key}>
            <Table.Th scope="row" fw={400}>
              {row.title}
            </Table.Th>
            {series.map(({ key }) => {
              const value = row.values[key] ?? null;
              return (
                <Table.Td key={key} ta="right">
                  {team !== undefined && value ? (
                    <Anchor inherit component={PlaceLink} to={paths.activity(team)} search={searchOf(row.key, key)} c="inherit">
                      {format(value)}
                    </Anchor>
                  ) : (
                    format(value)
                  )}
                </Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

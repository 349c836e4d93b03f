import type { CatchUpPolicy, OverlapPolicy } from "@millrace/contract/schedule.ts";
import type { ReactNode } from "react";
import type { Schedule } from "../../api/queries/schedules.ts";
import { durationText } from "../../ui/time/time-format.ts";
import { viewerZone } from "../../ui/time/zone-time.ts";
import { whenWords } from "./schedule-words.tsx";
import classes from "./schedules.module.css";

const overlaps: Readonly<Record<OverlapPolicy, string>> = {
  queue: "The next one is started too",
  skip: "The next one is skipped",
  cancel: "The open run is cancelled first",
};
const catchUps: Readonly<Record<CatchUpPolicy, string>> = {
  one: "One run for all of them",
  all: "One run for each",
  none: "No runs",
};

/** All settings of a schedule; what is as usual, short. */
export function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { cronSchedule, timezone, params, overlapPolicy, catchUpPolicy, catchUpWindow, jitter, exclusions } = schedule;
  const own = viewerZone();
  const facts: [string, ReactNode][] = [
    ["When", whenWords(schedule)],
    ...(cronSchedule === undefined ? [] : ([["Expression", <code key="cron">{cronSchedule}</code>]] as [string, ReactNode][])),
    ["Time zone", timezone === own ? `${timezone} (yours too)` : `${timezone} (yours is ${own})`],
    ...params.map(({ name, value, hiddenValue }): [string, ReactNode] => [
      name,
      <code key={name}>{hiddenValue ? "secret" : typeof value === "string" ? value : JSON.stringify(value)}</code>,
    ]),
    ["If a run is still open", overlaps[overlapPolicy]],
    [
      "Missed times",
      `${catchUps[catchUpPolicy]}${catchUpWindow === undefined ? "" : `, up to ${durationText(catchUpWindow * 60_000)} back`}`,
    ],
    ...(jitter > 0 ? ([["Jitter", `up to ${durationText(jitter * 1000)} later`]] as [string, ReactNode][]) : []),
    ...(exclusions.length > 0 ? ([["Excluded days", exclusions.join(", ")]] as [string, ReactNode][]) : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import { IconBan, IconClock, IconClockPause, IconClockX, IconPlayerPlayFilled, IconPlayerTrackNextFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { statusWord } from "../../components/schedule-words.tsx";
import { paths } from "../../paths.ts";
import { outcomeOf, withinSentence } from "../../texts/language.ts";
import { t } from "../../texts/schedules.ts";
import { numberText } from "../../ui/format.ts";
import { StatusMark, type ToneLook, ToneMark } from "../../ui/mark/status-mark.tsx";
import { clockText } from "../../ui/time/zone-time.ts";
import type { Bunch, CalendarEntry, DayItem, EntryKind } from "./calendar-entries.ts";
import classes from "./schedules.module.css";
import type { RunEnd } from "./use-calendar.ts";

const looks: Readonly<Record<EntryKind, ToneLook>> = {
  submitted: { word: t("entryParts.runSubmitted"), tone: "running", icon: IconPlayerPlayFilled },
  skipped: { word: t("entryParts.skipped"), tone: "skipped", icon: IconPlayerTrackNextFilled },
  missed: { word: t("entryParts.missed"), tone: "waiting", icon: IconClockX },
  refused: { word: t("entryParts.rejected"), tone: "failed", icon: IconBan },
  coming: { word: t("entryParts.upcoming"), tone: "queued", icon: IconClock },
  planned: { word: t("entryParts.upcomingOnceActive"), tone: "queued", icon: IconClockPause },
};

function kindWord(kind: EntryKind): string {
  return looks[kind].word;
}

/** The outcome of a time: the status of its run, or why there is none. Shown by shape, colour and word. */
export function EntryMark({ kind, run, isBare = false }: { kind: EntryKind; run?: RunEnd | undefined; isBare?: boolean }) {
  if (run) return <StatusMark status={run.status} phase={run.phase} waitKinds={run.waitKinds} isBare={isBare} />;
  return <ToneMark look={looks[kind]} isBare={isBare} isOnGround />;
}

interface DayItemProps {
  team: string;
  item: DayItem;
  runs: ReadonlyMap<string, RunEnd>;
  timeZone: string;
}

/** One line of a day in the month. Links to the run, or to the schedule if there is no run. */
export function DayItemLink({ team, item, runs, timeZone }: DayItemProps) {
  if (item.bunch) return <BunchLink bunch={item.bunch} timeZone={timeZone} />;
  const { one } = item;
  const run = one.runId === undefined ? undefined : runs.get(one.runId);
  const text = (
    <>
      <EntryMark kind={one.kind} run={run} isBare />
      <span className={classes.clock}>{clockText(timeZone, one.at)}</span>
      <span className={classes.entryName}>
        {one.schedule.name}
        {one.count > 1 && ` ×${one.count}`}
      </span>
    </>
  );
  return <EntryLink team={team} entry={one} className={classes.entry} text={text} />;
}

interface EntryLinkProps {
  team: string;
  entry: CalendarEntry;
  className?: string | undefined;
  text: React.ReactNode;
}

function EntryLink({ team, entry, className, text }: EntryLinkProps) {
  const shared = { className, title: `${entry.schedule.name}${entry.message ? `: ${outcomeOf(entry.message)}` : ""}` };
  if (entry.runId !== undefined)
    return (
      <Link to={paths.run(team, entry.runId)} {...shared}>
        {text}
      </Link>
    );
  return (
    <Link to="." search={(before) => ({ ...before, schedule: entry.schedule.id })} {...shared}>
      {text}
    </Link>
  );
}

function BunchLink({ bunch, timeZone }: { bunch: Bunch; timeZone: string }) {
  const { schedule, first, last, count } = bunch;
  return (
    <Link
      to="."
      search={(before) => ({ ...before, schedule: schedule.id })}
      className={classes.entry}
      title={t("entryParts.to", {
        name: schedule.name,
        clock: clockText(timeZone, first),
        clock2: clockText(timeZone, last),
        bunchWords: bunchWords(bunch),
      })}
    >
      <EntryMark kind={worstKind(bunch)} isBare />
      <span className={classes.clock}>×{count}</span>
      <span className={classes.entryName}>{schedule.name}</span>
    </Link>
  );
}

/** `3 missed, 21 to come`. */
export function bunchWords({ kinds }: Bunch): string {
  const parts = Object.entries(kinds) as [EntryKind, number][];
  return parts.map(([kind, count]) => `${numberText(count)} ${withinSentence(kindWord(kind))}`).join(", ");
}

/** The kind that represents a bunch: failures take precedence over successes. */
export function worstKind({ kinds }: Bunch): EntryKind {
  const order: readonly EntryKind[] = ["refused", "missed", "skipped", "coming", "planned", "submitted"];
  return order.find((kind) => kinds[kind] !== undefined) ?? "submitted";
}

interface OutcomeProps {
  team: string;
  entry: CalendarEntry;
  runs: ReadonlyMap<string, RunEnd>;
}

/** The outcome of a time on one line: a link to its run, or why there is none. */
export function Outcome({ team, entry, runs }: OutcomeProps) {
  const { kind, runId, count, message, schedule } = entry;
  const mark = <EntryMark kind={kind} run={runId === undefined ? undefined : runs.get(runId)} />;
  return (
    <span className={classes.outcome}>
      {runId === undefined ? mark : <EntryLink team={team} entry={entry} text={mark} />}
      {count > 1 && `×${count}`}
      {message && <span className="quiet">{outcomeOf(message)}</span>}
      {kind === "planned" && (
        <span className="quiet">{t("entryParts.onceActive", { toLowerCase: withinSentence(statusWord(schedule.status)) })}</span>
      )}
    </span>
  );
}

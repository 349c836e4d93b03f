import { IconBan, IconClock, IconClockPause, IconClockX, IconPlayerPlayFilled, IconPlayerTrackNextFilled } from "@tabler/icons-react";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { type ToneLook, ToneMark } from "../../ui/mark/tone-mark.tsx";
import type { EntryKind } from "./calendar-entries.ts";
import type { RunEnd } from "./use-calendar.ts";

const looks: Readonly<Record<EntryKind, ToneLook>> = {
  submitted: { word: "Run submitted", tone: "running", icon: IconPlayerPlayFilled },
  skipped: { word: "Skipped", tone: "skipped", icon: IconPlayerTrackNextFilled },
  missed: { word: "Missed", tone: "waiting", icon: IconClockX },
  refused: { word: "Rejected", tone: "failed", icon: IconBan },
  coming: { word: "Upcoming", tone: "queued", icon: IconClock },
  planned: { word: "Upcoming once active", tone: "queued", icon: IconClockPause },
};

export function kindWord(kind: EntryKind): string {
  return looks[kind].word;
}

/** The outcome of a time: how its run ended where there is one, else why there is none. Shape, colour and word. */
export function EntryMark({ kind, run, isBare = false }: { kind: EntryKind; run?: RunEnd | undefined; isBare?: boolean }) {
  if (run) return <StatusMark status={run.status} phase={run.phase} isBare={isBare} />;
  return <ToneMark look={looks[kind]} isBare={isBare} isOnGround />;
}

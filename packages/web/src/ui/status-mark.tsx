import type { Phase, Status } from "@millrace/contract/status.ts";
import {
  IconAlertTriangleFilled,
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconClockX,
  IconHourglass,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import classes from "./status-mark.module.css";

type Tone = "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped";
interface Look {
  word: string;
  tone: Tone;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
}

/** Each status has a word, a shape and a colour, so that none of them alone tells it. */
const looks: Record<Status, Look> = {
  notstarted: { word: "Not started", tone: "queued", icon: IconCircleDashed },
  ready: { word: "Ready", tone: "queued", icon: IconCircleDashed },
  running: { word: "Running", tone: "running", icon: IconPlayerPlayFilled },
  waiting: { word: "Waiting", tone: "waiting", icon: IconHourglass },
  succeeded: { word: "Succeeded", tone: "succeeded", icon: IconCircleCheckFilled },
  failed: { word: "Failed", tone: "failed", icon: IconCircleXFilled },
  invalid: { word: "Invalid", tone: "failed", icon: IconAlertTriangleFilled },
  skipped: { word: "Skipped", tone: "skipped", icon: IconPlayerTrackNext },
  cancelled: { word: "Cancelled", tone: "cancelled", icon: IconBan },
  timedout: { word: "Timed out", tone: "failed", icon: IconClockX },
};

const signs: Record<Tone, string> = { queued: "◌", running: "▶", waiting: "⧗", succeeded: "✓", failed: "✕", cancelled: "⊘", skipped: "»" };

const queued: Look = { word: "Queued", tone: "queued", icon: IconCircleDashed };

/** @param phase tells a run that waits in its queue from one that was not begun */
export function statusLook(status: Status, phase?: Phase): Look {
  return phase === "queued" && status === "notstarted" ? queued : looks[status];
}

/** The status in one sign, where there is only text: the tab of a browser. */
export function statusSign(status: Status): string {
  return signs[looks[status].tone];
}

/** @param isBare only the shape, with the word for who does not see it */
export function StatusMark({ status, phase, isBare = false }: { status: Status; phase?: Phase | undefined; isBare?: boolean }) {
  const { word, tone, icon: Icon } = statusLook(status, phase);
  return (
    <span className={classes.mark} data-tone={tone} data-bare={isBare || undefined} title={isBare ? word : undefined}>
      <Icon size={14} aria-hidden />
      <span className={isBare ? "only-heard" : undefined}>{word}</span>
    </span>
  );
}

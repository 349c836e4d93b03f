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
import { type Tone, type ToneLook, ToneMark } from "./tone-mark.tsx";

/** Each status has a word, a shape and a colour, so that none of them alone tells it. */
const looks: Record<Status, ToneLook> = {
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

const queued: ToneLook = { word: "Queued", tone: "queued", icon: IconCircleDashed };

/** @param phase tells a run that waits in its queue from one that was not begun */
export function statusLook(status: Status, phase?: Phase): ToneLook {
  return phase === "queued" && status === "notstarted" ? queued : looks[status];
}

/** The status in one sign, where there is only text: the tab of a browser. */
export function statusSign(status: Status): string {
  return signs[looks[status].tone];
}

interface StatusMarkProps {
  status: Status;
  phase?: Phase | undefined;
  /** Only the shape, with the word for who does not see it. */
  isBare?: boolean;
  /** It stands on a ground of its tone already. */
  isOnGround?: boolean;
}

/** How a run or a task stands. */
export function StatusMark({ status, phase, isBare = false, isOnGround = isBare }: StatusMarkProps) {
  return <ToneMark look={statusLook(status, phase)} isBare={isBare} isOnGround={isOnGround} />;
}

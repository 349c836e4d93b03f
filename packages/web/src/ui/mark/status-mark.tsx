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
import { t } from "../../texts/ui.ts";
import classes from "./tone-mark.module.css";

/** Each status has a word, a shape and a colour, so that none of them alone tells it. */
const looks: Record<Status, ToneLook> = {
  notstarted: { word: t("statusMark.notStarted"), tone: "queued", icon: IconCircleDashed },
  ready: { word: t("statusMark.ready"), tone: "queued", icon: IconCircleDashed },
  running: { word: t("statusMark.running"), tone: "running", icon: IconPlayerPlayFilled },
  waiting: { word: t("statusMark.waiting"), tone: "waiting", icon: IconHourglass },
  succeeded: { word: t("statusMark.succeeded"), tone: "succeeded", icon: IconCircleCheckFilled },
  failed: { word: t("statusMark.failed"), tone: "failed", icon: IconCircleXFilled },
  invalid: { word: t("statusMark.invalid"), tone: "failed", icon: IconAlertTriangleFilled },
  skipped: { word: t("statusMark.skipped"), tone: "skipped", icon: IconPlayerTrackNext },
  cancelled: { word: t("statusMark.cancelled"), tone: "cancelled", icon: IconBan },
  timedout: { word: t("statusMark.timedOut"), tone: "failed", icon: IconClockX },
};

const signs: Record<Tone, string> = { queued: "◌", running: "▶", waiting: "⧗", succeeded: "✓", failed: "✕", cancelled: "⊘", skipped: "»" };

const queued: ToneLook = { word: t("statusMark.queued"), tone: "queued", icon: IconCircleDashed };

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

type Tone = "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped";

export interface ToneLook {
  word: string;
  tone: Tone;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
}

interface ToneMarkProps {
  look: ToneLook;
  /** After the word. */
  more?: string | undefined;
  /** On hover; without one, of a bare mark, its word. */
  title?: string | undefined;
  /** Only the shape, with the word for who does not see it. */
  isBare?: boolean;
  /** Without a ground of its own, where it stands on one already or among many. */
  isOnGround?: boolean;
}

/** How something went or stands: a word, a shape and a colour, so that none of them alone tells it. */
export function ToneMark({ look: { word, tone, icon: Icon }, more = "", title, isBare = false, isOnGround = isBare }: ToneMarkProps) {
  return (
    <span className={classes.mark} data-tone={tone} data-on-ground={isOnGround || undefined} title={title ?? (isBare ? word : undefined)}>
      <Icon size={14} aria-hidden />
      <span className={isBare ? "only-heard" : undefined}>
        {word}
        {more}
      </span>
    </span>
  );
}

import type { Phase, Status, WaitKind } from "@millrace/contract/status.ts";
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

const waits: Record<WaitKind, string> = {
  action: t("statusMark.waitingForAction"),
  event: t("statusMark.waitingForEvent"),
  sleep: t("statusMark.waitingForSleep"),
  retry: t("statusMark.waitingForRetry"),
  lock: t("statusMark.waitingForLock"),
  run: t("statusMark.waitingForRun"),
};

const signs: Record<Tone, string> = { queued: "◌", running: "▶", waiting: "⧗", succeeded: "✓", failed: "✕", cancelled: "⊘", skipped: "»" };

const queued: ToneLook = { word: t("statusMark.queued"), tone: "queued", icon: IconCircleDashed };

/**
 * @param phase tells a run that waits in its queue from one that was not begun
 * @param waitKinds what a run waits for of which nothing runs: the word is that of the first, which is a person if there is one
 */
export function statusLook(status: Status, phase?: Phase, waitKinds: readonly WaitKind[] = []): ToneLook {
  const [wait] = waitKinds;
  if (status === "running" && wait !== undefined) return { ...looks.waiting, word: waits[wait] };
  return phase === "queued" && status === "notstarted" ? queued : looks[status];
}

/** The status in one sign, where there is only text: the tab of a browser. */
export function statusSign(...[status, phase, waitKinds]: Parameters<typeof statusLook>): string {
  return signs[statusLook(status, phase, waitKinds).tone];
}

interface StatusMarkProps {
  status: Status;
  phase?: Phase | undefined;
  waitKinds?: readonly WaitKind[] | undefined;
  /** Only the shape, with the word for who does not see it. */
  isBare?: boolean;
  /** It stands on a ground of its tone already. */
  isOnGround?: boolean;
}

/** How a run or a task stands. */
export function StatusMark({ status, phase, waitKinds = [], isBare = false, isOnGround = isBare }: StatusMarkProps) {
  const all = status === "running" && waitKinds.length > 1 ? waitKinds.map((kind) => waits[kind]).join(", ") : undefined;
  return <ToneMark look={statusLook(status, phase, waitKinds)} title={all} isBare={isBare} isOnGround={isOnGround} />;
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

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

/** Each status has a word, a shape and a colour, so that none of them is the only indication. */
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
 * @param phase distinguishes a run waiting in its queue from one that wasn't started
 * @param waitKinds what a run without a running task waits for: the first determines the word, and waiting for people comes first
 */
export function statusLook(status: Status, phase?: Phase, waitKinds: readonly WaitKind[] = []): ToneLook {
  const [wait] = waitKinds;
  if (status === "running" && wait !== undefined) return { ...looks.waiting, word: waits[wait] };
  return phase === "queued" && status === "notstarted" ? queued : looks[status];
}

/** The status as a single character, for places that only have text, such as the browser tab. */
export function statusSign(...[status, phase, waitKinds]: Parameters<typeof statusLook>): string {
  return signs[statusLook(status, phase, waitKinds).tone];
}

interface StatusMarkProps {
  status: Status;
  phase?: Phase | undefined;
  waitKinds?: readonly WaitKind[] | undefined;
  /** Whether to show only the shape, with the word for screen readers. */
  isBare?: boolean;
  /** Whether it is already on a background of its tone. */
  isOnGround?: boolean;
}

/** The status of a run or a task. */
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
  /** Shown after the word. */
  more?: string | undefined;
  /** The tooltip; by default, a mark without a visible word shows its word. */
  title?: string | undefined;
  /** Whether to show only the shape, with the word for screen readers. */
  isBare?: boolean;
  /** Whether to omit the background, for places that already have one or show many marks. */
  isOnGround?: boolean;
}

/** An outcome or state by word, shape and colour, so that none of them is the only indication. */
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

import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconHourglass,
  IconPlayerPauseFilled,
} from "@tabler/icons-react";
import type { DeliveryStatus, Subscription } from "../../api/queries/subscriptions.ts";
import classes from "./subscriptions.module.css";

type Tone = "succeeded" | "failed" | "waiting" | "queued";

function ToneMark({ tone, word, icon: Icon }: { tone: Tone; word: string; icon: typeof IconHourglass }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon size={14} aria-hidden /> {word}
    </span>
  );
}

/** Whether a subscription sends: on, paused by somebody, or paused by itself. */
export function SubscriptionMark({ isActive, statusMessage }: Pick<Subscription, "isActive" | "statusMessage">) {
  if (isActive) return <ToneMark tone="succeeded" word="Active" icon={IconCircleCheckFilled} />;
  if (statusMessage) return <ToneMark tone="failed" word="Paused by itself" icon={IconAlertTriangleFilled} />;
  return <ToneMark tone="queued" word="Paused" icon={IconPlayerPauseFilled} />;
}

export const deliveryWords: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "Behind another",
  pending: "To be tried",
  delivered: "Delivered",
  dead: "Given up",
};

/** What became of a delivery; one that failed and is to be tried again is told apart from a new one. */
export function DeliveryMark({ status, attempts }: { status: DeliveryStatus; attempts: number }) {
  if (status === "delivered") return <ToneMark tone="succeeded" word={deliveryWords.delivered} icon={IconCircleCheckFilled} />;
  if (status === "dead") return <ToneMark tone="failed" word={deliveryWords.dead} icon={IconCircleXFilled} />;
  if (status === "pending" && attempts > 0) return <ToneMark tone="waiting" word="Failed, tried again" icon={IconHourglass} />;
  return <ToneMark tone="queued" word={deliveryWords[status]} icon={status === "waiting" ? IconHourglass : IconCircleDashed} />;
}

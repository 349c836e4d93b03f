import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled, IconHourglass } from "@tabler/icons-react";
import type { DeliveryStatus, Subscription } from "../../api/queries/integrations.ts";
import { t } from "../../texts/integrations.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { type ToneLook, ToneMark } from "../../ui/mark/status-mark.tsx";
import { choiceText, fromFilters } from "./event-choice.ts";

/** Whether a subscription is on, paused by a person, or paused automatically. */
export function SubscriptionMark({ isActive, statusMessage }: Pick<Subscription, "isActive" | "statusMessage">) {
  if (isActive) return <StateMark tone="on" word={t("subscriptionMarks.active")} />;
  if (statusMessage) return <StateMark tone="wait" word={t("subscriptionMarks.pausedAutomatically")} />;
  return <StateMark tone="rest" word={t("subscriptionMarks.paused")} />;
}

export const deliveryWords: Readonly<Record<DeliveryStatus, string>> = {
  waiting: t("subscriptionMarks.deliveryWaiting"),
  pending: t("subscriptionMarks.deliveryPending"),
  delivered: t("subscriptionMarks.deliveryDelivered"),
  dead: t("subscriptionMarks.deliveryDead"),
};

function deliveryLook(status: DeliveryStatus, attempts: number): ToneLook {
  if (status === "delivered") return { tone: "succeeded", word: deliveryWords.delivered, icon: IconCircleCheckFilled };
  if (status === "dead") return { tone: "failed", word: deliveryWords.dead, icon: IconCircleXFilled };
  if (status === "pending" && attempts > 0) return { tone: "waiting", word: t("subscriptionMarks.failedWillRetry"), icon: IconHourglass };
  return { tone: "queued", word: deliveryWords[status], icon: status === "waiting" ? IconHourglass : IconCircleDashed };
}

/** The outcome of a delivery. One that failed and will be retried looks different from a new one. */
export function DeliveryMark({ status, attempts }: { status: DeliveryStatus; attempts: number }) {
  return <ToneMark look={deliveryLook(status, attempts)} />;
}

/** Custom filters aren't repeated in words. */
export function filtersText(filters: Subscription["filters"]): string {
  const choice = fromFilters(filters);
  return choice === undefined ? t("subscriptionMarks.customFilters") : choiceText(choice);
}

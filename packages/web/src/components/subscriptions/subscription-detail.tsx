import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { Subscription } from "../../api/queries/subscriptions.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/subscriptions.ts";
import { Notice } from "../../ui/state/notice.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { filtersText, SubscriptionMark } from "./subscription-marks.tsx";
import { channelWords, targetText } from "./subscription-target.ts";
import classes from "./subscriptions.module.css";

/** One subscription: what it sends to whom, its actions, and the outcome of each delivery. */
export function SubscriptionDetail({ team, subscription }: { team: string | undefined; subscription: Subscription }) {
  const [, change] = useSearchState({ subscription: "", status: "", page: 0, delivery: "" });
  const open = (name: string) => change({ subscription: name, status: "", page: 0, delivery: "" });
  const { channel, target, filters, oldSecretUntil, hiddenValue, statusMessage } = subscription;
  return (
    <Stack gap="md">
      <Anchor component="button" type="button" size="sm" onClick={() => open("")} style={{ alignSelf: "flex-start" }}>
        <IconArrowLeft size={14} style={{ verticalAlign: "-2px", marginRight: 4 }} aria-hidden />
        {t("subscriptionDetail.allSubscriptions")}
      </Anchor>
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Title order={2}>{subscription.name}</Title>
          <SubscriptionMark {...subscription} />
        </Group>
        <SubscriptionActions team={team} subscription={subscription} onNamed={open} />
      </Group>
      {statusMessage && !subscription.isActive && (
        <Notice title={statusMessage}>{t("subscriptionDetail.deliveriesQueuedFixReceiver")}</Notice>
      )}
      <dl className={classes.facts}>
        <dt>{channelWords[channel]}</dt>
        <dd className={classes.target}>{targetText(channel, target)}</dd>
        <dt>{t("subscriptionDetail.events")}</dt>
        <dd>{filtersText(filters)}</dd>
        {hiddenValue && (
          <>
            <dt>{t("subscriptionDetail.secret")}</dt>
            <dd>
              {t("subscriptionDetail.hidden")}{" "}
              {oldSecretUntil && (
                <span className="quiet">
                  {t.rich("subscriptionDetail.previousSecretAlsoSigns", { time: () => <TimeText at={oldSecretUntil} isExact /> })}
                </span>
              )}
            </dd>
          </>
        )}
        <dt>{t("subscriptionDetail.created")}</dt>
        <dd>
          <TimeText at={subscription.creationDate} />
        </dd>
      </dl>
      <Stack gap="xs">
        <Title order={3}>{t("subscriptionDetail.deliveries")}</Title>
        <Text size="sm" className="quiet">
          {t("subscriptionDetail.deliveredOnesKept7")}
        </Text>
        <DeliveryLog team={team} subscription={subscription} />
      </Stack>
    </Stack>
  );
}

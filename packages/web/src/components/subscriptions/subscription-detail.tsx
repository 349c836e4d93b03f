import { Anchor, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import {
  changeSubscription,
  deleteSubscription,
  rotateSecret,
  type Subscription,
  testSubscription,
} from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation, useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/integrations.ts";
import { outcomeOf } from "../../texts/language.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { SecretOnce, SubscriptionDialog } from "./subscription-dialog.tsx";
import { filtersText, SubscriptionMark } from "./subscription-marks.tsx";
import { channelWords, targetText } from "./subscription-target.ts";
import classes from "./subscriptions.module.css";

/** One subscription: what it sends and where, its actions, and the outcome of each delivery. */
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
        <Notice title={outcomeOf(statusMessage)}>{t("subscriptionDetail.deliveriesQueuedFixReceiver")}</Notice>
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

interface SubscriptionActionsProps {
  team: string | undefined;
  subscription: Subscription;
  /** Called with the new name, or with an empty one after deletion. */
  onNamed: (name: string) => void;
}

/** Test, pause, rotate, edit, delete: the main action last. Errors are shown below them. */
function SubscriptionActions({ team, subscription, onNamed }: SubscriptionActionsProps) {
  const { id, name, isActive, hiddenValue } = subscription;
  const renew = useRenew();
  const why = useRights(team).whyNot("integration/write");
  const [open, setOpen] = useState<"edit" | "delete" | "rotate">();
  const close = () => setOpen(undefined);
  const changes = ["subscriptions", "deliveries"] as const;
  const test = useApiMutation({ changes, mutationFn: () => testSubscription(team, id) });
  const pause = useApiMutation({ changes, mutationFn: () => changeSubscription(team, id, { isActive: !isActive }) });
  // The response contains the secret, which must not be kept after the dialog closes.
  const rotate = useApiMutation({ changes, mutationFn: () => rotateSecret(team, id), gcTime: 0 });
  const remove = async () => {
    await deleteSubscription(team, id);
    onNamed("");
    await renew(changes);
  };
  const button = { size: "xs", variant: "default", whyNot: why } as const;
  return (
    <>
      <Group gap="xs">
        <ActionButton {...button} onClick={() => setOpen("delete")}>
          {t("subscriptionDetail.delete")}
        </ActionButton>
        {hiddenValue && (
          <ActionButton {...button} onClick={() => setOpen("rotate")}>
            {t("subscriptionDetail.rotateSecret")}
          </ActionButton>
        )}
        <ActionButton {...button} loading={pause.isPending} onClick={() => pause.mutate()}>
          {isActive ? t("subscriptionDetail.pause") : t("subscriptionDetail.resume")}
        </ActionButton>
        <ActionButton {...button} onClick={() => setOpen("edit")}>
          {t("subscriptionDetail.edit")}
        </ActionButton>
        <ActionButton
          size="xs"
          whyNot={why ?? (isActive ? undefined : t("subscriptionDetail.subscriptionPausedResumeFirst"))}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t("subscriptionDetail.sendTestEvent")}
        </ActionButton>
      </Group>
      <RefusalText error={test.error ?? pause.error} />
      {open === "edit" && <SubscriptionDialog team={team} known={subscription} onClose={close} onMade={onNamed} />}
      <ConfirmDialog
        isOpen={open === "delete"}
        onClose={close}
        title={t("subscriptionDetail.delete2", { name })}
        action={t("subscriptionDetail.deleteSubscription")}
        isDangerous
        onConfirm={remove}
      >
        {t("subscriptionDetail.deliveriesDeletedTooIncluding")}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === "rotate"}
        onClose={close}
        title={t("subscriptionDetail.rotateSecret")}
        action={t("subscriptionDetail.rotateSecret")}
        onConfirm={() => rotate.mutateAsync()}
      >
        <Text size="sm">{t("subscriptionDetail.n24HoursEachWebhook")}</Text>
      </ConfirmDialog>
      <Modal
        opened={rotate.data?.secret !== undefined}
        onClose={rotate.reset}
        title={t("subscriptionDetail.copySecret")}
        closeOnClickOutside={false}
      >
        {rotate.data?.secret && <SecretOnce secret={rotate.data.secret} oldUntil={rotate.data.oldSecretUntil} onDone={rotate.reset} />}
      </Modal>
    </>
  );
}

import { Group, Modal, Text } from "@mantine/core";
import { useState } from "react";
import {
  changeSubscription,
  deleteSubscription,
  rotateSecret,
  type Subscription,
  testSubscription,
} from "../../api/queries/subscriptions.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/subscriptions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";

interface SubscriptionActionsProps {
  team: string | undefined;
  subscription: Subscription;
  /** With its new name, and with none when it is deleted. */
  onNamed: (name: string) => void;
}

/** Test, pause, rotate, edit, delete: the main action last. A refusal stands below them. */
export function SubscriptionActions({ team, subscription, onNamed }: SubscriptionActionsProps) {
  const { id, name, isActive, hiddenValue } = subscription;
  const renew = useRenew();
  const why = useRights(team).whyNot("integration/write");
  const [open, setOpen] = useState<"edit" | "delete" | "rotate">();
  const close = () => setOpen(undefined);
  const changes = ["subscriptions", "deliveries"] as const;
  const test = useApiMutation({ changes, mutationFn: () => testSubscription(team, id) });
  const pause = useApiMutation({ changes, mutationFn: () => changeSubscription(team, id, { isActive: !isActive }) });
  // The secret is in the answer: it must not outlive the dialog.
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
          {t("subscriptionActions.delete")}
        </ActionButton>
        {hiddenValue && (
          <ActionButton {...button} onClick={() => setOpen("rotate")}>
            {t("subscriptionActions.rotateSecret")}
          </ActionButton>
        )}
        <ActionButton {...button} loading={pause.isPending} onClick={() => pause.mutate()}>
          {isActive ? t("subscriptionActions.pause") : t("subscriptionActions.resume")}
        </ActionButton>
        <ActionButton {...button} onClick={() => setOpen("edit")}>
          {t("subscriptionActions.edit")}
        </ActionButton>
        <ActionButton
          size="xs"
          whyNot={why ?? (isActive ? undefined : t("subscriptionActions.subscriptionPausedResumeFirst"))}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t("subscriptionActions.sendTestEvent")}
        </ActionButton>
      </Group>
      <RefusalText error={test.error ?? pause.error} />
      {open === "edit" && <SubscriptionDialog team={team} known={subscription} onClose={close} onMade={onNamed} />}
      <ConfirmDialog
        isOpen={open === "delete"}
        onClose={close}
        title={t("subscriptionActions.delete2", { name })}
        action={t("subscriptionActions.deleteSubscription")}
        isDangerous
        onConfirm={remove}
      >
        {t("subscriptionActions.deliveriesDeletedTooIncluding")}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === "rotate"}
        onClose={close}
        title={t("subscriptionActions.rotateSecret")}
        action={t("subscriptionActions.rotateSecret")}
        onConfirm={() => rotate.mutateAsync()}
      >
        <Text size="sm">{t("subscriptionActions.n24HoursEachWebhook")}</Text>
      </ConfirmDialog>
      <Modal
        opened={rotate.data?.secret !== undefined}
        onClose={rotate.reset}
        title={t("subscriptionActions.copySecret")}
        closeOnClickOutside={false}
      >
        {rotate.data?.secret && <SecretOnce secret={rotate.data.secret} oldUntil={rotate.data.oldSecretUntil} onDone={rotate.reset} />}
      </Modal>
    </>
  );
}

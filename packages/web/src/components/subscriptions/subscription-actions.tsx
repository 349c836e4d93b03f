import { Group, Modal, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeSubscription,
  deleteSubscription,
  rotateSecret,
  type Subscription,
  testSubscription,
} from "../../api/queries/subscriptions.ts";
import { useRights } from "../../hooks/use-caller.ts";
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
  const client = useQueryClient();
  const why = useRights(team).whyNot("integration/write");
  const [open, setOpen] = useState<"edit" | "delete" | "rotate">();
  const close = () => setOpen(undefined);
  const renew = () => Promise.all(["subscriptions", "deliveries"].map((word) => client.invalidateQueries({ queryKey: [word] })));
  const test = useMutation({ mutationFn: () => testSubscription(team, id), onSuccess: renew });
  const pause = useMutation({ mutationFn: () => changeSubscription(team, id, { isActive: !isActive }), onSuccess: renew });
  // The secret is in the answer: it must not outlive the dialog.
  const rotate = useMutation({ mutationFn: () => rotateSecret(team, id), onSuccess: renew, gcTime: 0 });
  const remove = async () => {
    await deleteSubscription(team, id);
    onNamed("");
    await renew();
  };
  const button = { size: "xs", variant: "default", whyNot: why } as const;
  return (
    <>
      <Group gap="xs">
        <ActionButton {...button} onClick={() => setOpen("delete")}>
          Delete
        </ActionButton>
        {hiddenValue && (
          <ActionButton {...button} onClick={() => setOpen("rotate")}>
            Rotate secret
          </ActionButton>
        )}
        <ActionButton {...button} loading={pause.isPending} onClick={() => pause.mutate()}>
          {isActive ? "Pause" : "Resume"}
        </ActionButton>
        <ActionButton {...button} onClick={() => setOpen("edit")}>
          Edit
        </ActionButton>
        <ActionButton
          size="xs"
          whyNot={why ?? (isActive ? undefined : "The subscription is paused. Resume it first.")}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send test event
        </ActionButton>
      </Group>
      <RefusalText error={test.error ?? pause.error} />
      <SubscriptionDialog team={team} subscription={open === "edit" ? subscription : undefined} onClose={close} onMade={onNamed} />
      <ConfirmDialog
        isOpen={open === "delete"}
        onClose={close}
        title={`Delete ${name}`}
        action="Delete subscription"
        isDangerous
        onConfirm={remove}
      >
        Its deliveries are deleted too, including those not yet sent.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === "rotate"}
        onClose={close}
        title="Rotate secret"
        action="Rotate secret"
        onConfirm={() => rotate.mutateAsync()}
      >
        <Text size="sm">
          For 24 hours each webhook is signed with both secrets, so the receiver can switch without a gap. The new secret is shown once.
        </Text>
      </ConfirmDialog>
      <Modal opened={rotate.data?.secret !== undefined} onClose={rotate.reset} title="Copy the secret" closeOnClickOutside={false}>
        {rotate.data?.secret && <SecretOnce secret={rotate.data.secret} oldUntil={rotate.data.oldSecretUntil} onDone={rotate.reset} />}
      </Modal>
    </>
  );
}

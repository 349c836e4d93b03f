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
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { DeedButton } from "../../ui/deed-button.tsx";
import { RefusalText } from "../../ui/refusal-text.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";

interface SubscriptionDeedsProps {
  team: string | undefined;
  subscription: Subscription;
  /** With its new name, and with none when it is deleted. */
  onNamed: (name: string) => void;
}

/** Test, pause, rotate, edit, delete: the main deed last. A refusal stands below them. */
export function SubscriptionDeeds({ team, subscription, onNamed }: SubscriptionDeedsProps) {
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
        <DeedButton {...button} onClick={() => setOpen("delete")}>
          Delete
        </DeedButton>
        {hiddenValue && (
          <DeedButton {...button} onClick={() => setOpen("rotate")}>
            Rotate the secret
          </DeedButton>
        )}
        <DeedButton {...button} loading={pause.isPending} onClick={() => pause.mutate()}>
          {isActive ? "Pause" : "Resume"}
        </DeedButton>
        <DeedButton {...button} onClick={() => setOpen("edit")}>
          Edit
        </DeedButton>
        <DeedButton
          size="xs"
          whyNot={why ?? (isActive ? undefined : "It is paused: resume it first.")}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test event
        </DeedButton>
      </Group>
      <RefusalText error={test.error ?? pause.error} />
      <SubscriptionDialog team={team} subscription={open === "edit" ? subscription : undefined} onClose={close} onMade={onNamed} />
      <ConfirmDialog
        isOpen={open === "delete"}
        onClose={close}
        title={`Delete ${name}`}
        deed="Delete the subscription"
        isDangerous
        onConfirm={remove}
      >
        Its deliveries go with it, those that are still to be sent too.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === "rotate"}
        onClose={close}
        title="Rotate the secret"
        deed="Make a new secret"
        onConfirm={() => rotate.mutateAsync()}
      >
        <Text size="sm">
          For 24 hours each webhook is signed with both, so the receiver can change without a gap. The new one is shown once.
        </Text>
      </ConfirmDialog>
      <Modal opened={rotate.data?.secret !== undefined} onClose={rotate.reset} title="Take the secret now" closeOnClickOutside={false}>
        {rotate.data?.secret && <SecretOnce secret={rotate.data.secret} oldUntil={rotate.data.oldSecretUntil} onDone={rotate.reset} />}
      </Modal>
    </>
  );
}

import { Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { changeSubscription, createSubscription, type Subscription, type SubscriptionInput } from "../../api/queries/subscriptions.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { SecretOnce } from "./secret-once.tsx";
import { SubscriptionForm } from "./subscription-form.tsx";

interface SubscriptionDialogProps {
  team: string | undefined;
  /** undefined: closed. */
  subscription: Subscription | "new" | undefined;
  onClose: () => void;
  /** With its name, when it was made and its secret was taken; also when it was renamed. */
  onMade: (name: string) => void;
}

/** Makes a subscription, and shows the secret of a webhook the one time that it is shown; or changes one. */
export function SubscriptionDialog({ team, subscription, onClose, onMade }: SubscriptionDialogProps) {
  const renew = useRenew();
  const known = typeof subscription === "object" ? subscription : undefined;
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (wanted: SubscriptionInput) => {
      if (known === undefined) return createSubscription(team, wanted);
      const { channel: _, ...change } = wanted;
      return changeSubscription(team, known.id, change);
    },
    onSuccess: (saved) => {
      if (known !== undefined || !saved.secret) finish(saved.name);
      return renew(["subscriptions"]);
    },
    // The secret is in the answer: it must not outlive the dialog.
    gcTime: 0,
  });
  const close = () => {
    reset();
    onClose();
  };
  const finish = (name: string) => {
    close();
    onMade(name);
  };
  const secret = known === undefined ? data?.secret : undefined;
  return (
    <Modal
      opened={subscription !== undefined}
      onClose={() => (secret && data ? finish(data.name) : close())}
      title={secret ? "Copy the secret" : known ? `Edit ${known.name}` : "Create subscription"}
      size="lg"
      closeOnClickOutside={!secret}
    >
      {secret && data ? (
        <SecretOnce secret={secret} onDone={() => finish(data.name)} />
      ) : (
        subscription !== undefined && (
          <SubscriptionForm
            team={team}
            known={known}
            isBusy={isPending}
            error={error}
            onSave={(wanted) => mutate(wanted)}
            onCancel={close}
          />
        )
      )}
    </Modal>
  );
}

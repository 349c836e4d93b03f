import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../api/api-error.ts";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what can't be undone. */
  children: ReactNode;
  /** The verb, such as `Delete the workflow`. */
  action: string;
  /** Of the button that does nothing, where "Cancel" would be taken for the action. */
  dismiss?: string;
  isDangerous?: boolean;
  /** For what can't be undone at all: has to be typed first. */
  typeToConfirm?: string;
  /** The dialog closes when it is done; a refusal is shown in it. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done to many, or for good. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  action,
  dismiss = "Cancel",
  isDangerous = false,
  typeToConfirm,
  onConfirm,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    setTyped("");
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      close();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered>
      <Stack gap="sm">
        <Text component="div">{children}</Text>
        {typeToConfirm !== undefined && (
          <TextInput
            label={`Type ${typeToConfirm} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        {error !== undefined && (
          <Text role="alert" c="var(--status-failed)">
            {messageOf(error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {dismiss}
          </Button>
          <Button
            {...(isDangerous && { color: "red.8" })}
            loading={isBusy}
            disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

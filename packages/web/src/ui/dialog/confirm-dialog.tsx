import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { FormRefusal, useSubmission } from "../form/use-submission.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what can't be undone. */
  children: ReactNode;
  /** Verb and object, such as `Delete workflow`. */
  action: string;
  /** Of the button that does nothing, where "Cancel" would be taken for the action. */
  dismiss?: string;
  isDangerous?: boolean;
  /** For what can't be undone at all: has to be typed first. */
  typeToConfirm?: string;
  /** The dialog closes when it is done; a refusal is shown in it. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done to many, or for good. Enter does it, except where it is dangerous. */
export function ConfirmDialog({ isOpen, onClose, title, ...question }: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Question onClose={onClose} {...question} />
    </Modal>
  );
}

function Question({
  onClose,
  children,
  action,
  dismiss = t("confirmDialog.cancel"),
  isDangerous,
  typeToConfirm,
  onConfirm,
}: Omit<ConfirmDialogProps, "isOpen" | "title">) {
  const form = useForm({ initialValues: { typed: "" } });
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit: onConfirm, onDone: onClose });
  const isTyped = typeToConfirm === undefined || form.values.typed === typeToConfirm;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A form of the page that the dialog was opened from is not sent with it.
        event.stopPropagation();
        if (isTyped) submit(event);
      }}
    >
      <Stack gap="sm">
        <Text component="div">{children}</Text>
        {typeToConfirm !== undefined && (
          <TextInput label={t("confirmDialog.typeConfirm", { typeToConfirm })} autoComplete="off" {...form.getInputProps("typed")} />
        )}
        <FormRefusal message={refusal} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {dismiss}
          </Button>
          <Button
            type="submit"
            {...(isDangerous ? { color: "red.8" } : { "data-autofocus": true })}
            loading={isPending}
            disabled={!isTyped}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

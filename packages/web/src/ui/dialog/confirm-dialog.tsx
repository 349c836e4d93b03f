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
  /** Verb and object, e.g. `Delete workflow`. */
  action: string;
  /** The label of the dismiss button, for actions that would be confused with "Cancel". */
  dismiss?: string;
  isDangerous?: boolean;
  /** For actions that can't be undone: a text that must be typed first. */
  typeToConfirm?: string;
  /** The dialog closes on success; errors are shown in it. */
  onConfirm: () => Promise<unknown>;
}

/** Asks for confirmation before a permanent action or one on several objects. Enter confirms, unless the action is dangerous. */
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
        // Prevents the submit event from reaching a form of the page that opened the dialog.
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

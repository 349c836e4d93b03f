import { Button, Group, Modal, type ModalProps, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/ui.ts";
import type { FieldPlaces } from "../form/place-errors.ts";
import { FormRefusal, useSubmission } from "../form/use-submission.tsx";
import { ActionButton } from "./action-button.tsx";
import classes from "./form-dialog.module.css";

interface FormDialogProps<Values> extends Pick<ModalProps, "size"> {
  title: string;
  form: UseFormReturnType<Values>;
  /** Verb and object, e.g. `Create team`. */
  action: string;
  isDangerous?: boolean;
  /** Why it can't be submitted yet, or by this caller. */
  whyNot?: string | undefined;
  /** The dialog closes on success. Errors are shown at the fields they name, otherwise above the buttons. */
  onSubmit: (values: Values) => Promise<unknown>;
  /** Needed where the service's member names differ from those of the fields. */
  places?: FieldPlaces;
  onClose: () => void;
  /** Doesn't close on success; the outcome is shown as `result`. */
  staysOpen?: boolean;
  /** Replaces the form once it is set: something that is shown only once, with its own button to close. */
  result?: ReactNode;
  /** Shown at the left of the buttons: an alternative way to finish. */
  aside?: ReactNode;
  /** The form's own rules report missing values at the fields, instead of the browser. */
  noValidate?: boolean;
  /** Keeps the buttons visible, however many fields there are. */
  isLong?: boolean;
  labels?: Partial<typeof ownLabels>;
  children: ReactNode;
}

const ownLabels = {
  cancel: t("formDialog.cancel"),
  lose: t("formDialog.ownLose"),
  keep: t("formDialog.ownKeep"),
  discard: t("formDialog.ownDiscard"),
};

/**
 * Asks for input in a dialog; mounted only while it is open. Enter submits, Cancel closes. Escape and a click outside close it too, but ask
 * for confirmation if something was entered, since they happen by mistake.
 */
export function FormDialog<Values>({ title, size, onClose, result, ...form }: FormDialogProps<Values>) {
  const [isAsking, setAsking] = useState(false);
  const labels = { ...ownLabels, ...form.labels };
  const onDone = form.staysOpen ? undefined : onClose;
  const { submit, isPending, refusal } = useSubmission({ ...form, onDone });
  const hasResult = result !== undefined && result !== false && result !== null;
  const leave = () => {
    if (isPending) return;
    if (!hasResult && form.form.isDirty()) return setAsking(!isAsking);
    onClose();
  };
  return (
    <Modal opened onClose={leave} title={title} {...(size !== undefined && { size })} centered closeOnClickOutside={!hasResult}>
      {hasResult ? (
        result
      ) : (
        <form
          noValidate={form.noValidate}
          onSubmit={(event) => {
            event.preventDefault();
            // Prevents the submit event from reaching a form of the page that opened the dialog.
            event.stopPropagation();
            if (form.whyNot === undefined) submit(event);
          }}
        >
          <Stack gap="sm">
            {form.children}
            <FormRefusal message={refusal} />
            {isAsking ? (
              <LosingQuestion labels={labels} onKeep={() => setAsking(false)} onDiscard={onClose} />
            ) : (
              <Buttons {...form} cancel={labels.cancel} isPending={isPending} onCancel={onClose} />
            )}
          </Stack>
        </form>
      )}
    </Modal>
  );
}

interface ButtonsProps extends Pick<FormDialogProps<unknown>, "action" | "isDangerous" | "whyNot" | "aside" | "isLong"> {
  cancel: string;
  isPending: boolean;
  onCancel: () => void;
}

function Buttons({ action, isDangerous, whyNot, aside, isLong, cancel, isPending, onCancel }: ButtonsProps) {
  return (
    <Group justify={aside === undefined ? "flex-end" : "space-between"} gap="xs" className={isLong ? (classes.inSight ?? "") : ""}>
      {aside}
      <Group gap="xs" ml="auto">
        <Button variant="default" onClick={onCancel}>
          {cancel}
        </Button>
        <ActionButton type="submit" loading={isPending} whyNot={whyNot} {...(isDangerous && { color: "red.8" })}>
          {action}
        </ActionButton>
      </Group>
    </Group>
  );
}

interface LosingQuestionProps {
  labels: typeof ownLabels;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Replaces the buttons. The harmless answer has the focus. */
function LosingQuestion({ labels, onKeep, onDiscard }: LosingQuestionProps) {
  return (
    <Group justify="flex-end" gap="xs" role="group" aria-label={labels.lose}>
      <Text size="sm" fw={500} role="alert">
        {labels.lose}
      </Text>
      <Button variant="default" onClick={onKeep} autoFocus>
        {labels.keep}
      </Button>
      <Button color="red.8" onClick={onDiscard}>
        {labels.discard}
      </Button>
    </Group>
  );
}

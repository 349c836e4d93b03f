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
  /** Verb and object, such as `Create team`. */
  action: string;
  isDangerous?: boolean;
  /** Why it can't be sent yet, or by this caller. */
  whyNot?: string | undefined;
  /** It closes when that is done. What is refused stands at the fields that it names, else above the buttons. */
  onSubmit: (values: Values) => Promise<unknown>;
  /** Where the service's names of members differ from those of the fields. */
  places?: FieldPlaces;
  onClose: () => void;
  /** It doesn't close by itself: what follows is shown as `result`. */
  staysOpen?: boolean;
  /** Instead of the form, once there is one: what is shown only once, with its own way out. */
  result?: ReactNode;
  /** At the left of the buttons: another way to end it. */
  aside?: ReactNode;
  /** What is missing is said at the fields, by the rules of the form, instead of by the browser. */
  noValidate?: boolean;
  /** Its buttons stay in sight, however many fields there are. */
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
 * Asks for something in a dialog; mounted while it is open. Enter sends it, Cancel leaves it. Escape and a press beside it leave it too,
 * but ask first when something was entered: they happen by mistake.
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
            // A form of the page that the dialog was opened from is not sent with it.
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

/** Instead of the buttons. The harmless answer has the focus. */
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

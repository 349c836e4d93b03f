import { Button, Group, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { ActionButton } from "../dialog/action-button.tsx";
import type { FieldPlaces } from "./place-errors.ts";
import { FormRefusal, useSubmission } from "./use-submission.tsx";

interface FormSectionProps<Values> {
  form: UseFormReturnType<Values>;
  /** The id of its title, or its label if it has no title. */
  labelledBy?: string;
  label?: string;
  /** Verb and object, e.g. `Save retention`. */
  action: string;
  /** Why it can't be saved, apart from having no changes. */
  whyNot?: string | undefined;
  /** The saved values become those that "Discard changes" restores. */
  onSubmit: (values: Values) => Promise<unknown>;
  places?: FieldPlaces;
  /** Clears the input after saving, e.g. for a password. */
  isForgotten?: boolean;
  labels?: { noChanges: string; discard: string };
  children: ReactNode;
}

const ownLabels = { noChanges: t("formSection.ownNochanges"), discard: t("formSection.ownDiscard") };

/** A form that stays on the page: saved with its button or Enter; unsaved changes can be discarded. */
export function FormSection<Values>({
  form,
  labelledBy,
  label,
  action,
  whyNot,
  onSubmit,
  places,
  isForgotten = false,
  labels = ownLabels,
  children,
}: FormSectionProps<Values>) {
  const onDone = (values: Values) => {
    if (isForgotten) return form.reset();
    form.setInitialValues(values);
    form.resetDirty(values);
  };
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit, places, onDone });
  const isDirty = form.isDirty();
  const why = whyNot ?? (isDirty ? undefined : labels.noChanges);
  return (
    <form
      aria-labelledby={labelledBy}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined) submit(event);
      }}
    >
      <Stack gap="sm">
        {children}
        <FormRefusal message={refusal} />
        <Group gap="xs">
          <ActionButton type="submit" size="xs" whyNot={why} loading={isPending}>
            {action}
          </ActionButton>
          {isDirty && (
            <Button size="xs" variant="default" onClick={form.reset}>
              {labels.discard}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

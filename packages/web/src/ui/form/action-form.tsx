import { Button, Group, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { ActionButton } from "../dialog/action-button.tsx";
import type { FieldPlaces } from "./place-errors.ts";
import { FormRefusal, useSubmission } from "./use-submission.tsx";

interface ActionFormProps<Values> {
  form: UseFormReturnType<Values>;
  /** Verb and object, e.g. `Link to this team`. */
  action: string;
  /** Whether a better alternative is offered beside it. */
  isMinor?: boolean;
  /** Whether the button is as wide as the fields. */
  isWide?: boolean;
  whyNot?: string | undefined;
  onSubmit: (values: Values) => Promise<unknown>;
  places?: FieldPlaces;
  cancel?: { label: string; onClick: () => void };
  /** The class of the line with the buttons. */
  footClass?: string | undefined;
  children: ReactNode;
}

/** A form that performs one action with its input. Its button is always enabled: missing values are reported at the fields. */
export function ActionForm<Values>({ form, onSubmit, places, children, whyNot, ...foot }: ActionFormProps<Values>) {
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit, places });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === undefined) submit(event);
      }}
    >
      <Stack gap="sm">
        {children}
        <FormRefusal message={refusal} />
      </Stack>
      <Foot {...foot} whyNot={whyNot} isPending={isPending} />
    </form>
  );
}

type FootProps = Omit<ActionFormProps<unknown>, "form" | "onSubmit" | "places" | "children"> & { isPending: boolean };

function Foot({ action, isMinor, isWide, whyNot, cancel, footClass, isPending }: FootProps) {
  return (
    <Group gap="xs" mt="sm" className={footClass ?? ""}>
      {cancel && (
        <Button variant="default" onClick={cancel.onClick}>
          {cancel.label}
        </Button>
      )}
      <ActionButton
        type="submit"
        whyNot={whyNot}
        loading={isPending}
        flex={isWide ? 1 : undefined}
        variant={isMinor ? "default" : "filled"}
      >
        {action}
      </ActionButton>
    </Group>
  );
}

import { Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { messageOf } from "../../api/api-error.ts";
import { type FieldPlaces, placeErrors } from "./place-errors.ts";

interface Submission {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** The errors that no field shows. */
  refusal: string | undefined;
}

interface SubmissionOptions<Values> {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => Promise<unknown>;
  /** Needed where the service's member names differ from those of the fields. */
  places?: FieldPlaces | undefined;
  onDone?: ((values: Values) => void) | undefined;
}

/** Submits a form, once at a time. Errors are shown at the fields they name, and the first such field is focused. */
export function useSubmission<Values>({ form, onSubmit, places, onDone }: SubmissionOptions<Values>): Submission {
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const send = async (values: Values, element: HTMLFormElement) => {
    if (isPending) return;
    setPending(true);
    setRefusal(undefined);
    try {
      await onSubmit(values);
      onDone?.(values);
    } catch (error) {
      const { fields, rest } = placeErrors(error, namesOf(values), places);
      // Rendered synchronously, so that the fields already show the errors when the first one is searched.
      flushSync(() => {
        form.setErrors(fields);
        setRefusal(rest);
      });
      // An error must not get lost if its field isn't rendered or can't show it.
      if (!focusFault(element) && rest === undefined) setRefusal(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      (values) => void send(values, element),
      () => {
        flushSync(() => {});
        focusFault(element);
      },
    )(event);
  };
  return { submit, isPending, refusal };
}

/** `a`, and `a.b` for nested members. */
function namesOf(values: unknown, prefix = ""): string[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) => [prefix + name, ...namesOf(value, `${prefix}${name}.`)]);
}

/** @returns whether a field shows an error */
function focusFault(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus();
  return field !== null;
}

/** The errors of a form that no field shows, above its buttons. */
export function FormRefusal({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {message}
    </Text>
  );
}

import { Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { messageOf } from "../../api/api-error.ts";
import { type FieldPlaces, placeErrors } from "./place-errors.ts";

interface Submission {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** What was refused and no field shows. */
  refusal: string | undefined;
}

interface SubmissionOptions<Values> {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => Promise<unknown>;
  /** Where the service's names of members differ from those of the fields. */
  places?: FieldPlaces | undefined;
  onDone?: ((values: Values) => void) | undefined;
}

/** Sends a form once at a time, and shows what is refused at the fields that it names; the first of them takes the focus. */
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
      // At once, so that the fields show it when they are looked through.
      flushSync(() => {
        form.setErrors(fields);
        setRefusal(rest);
      });
      // A field that is not drawn, or can't show it, must not swallow it.
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

/** `a`, and `a.b` of what is inside. */
function namesOf(values: unknown, prefix = ""): string[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) => [prefix + name, ...namesOf(value, `${prefix}${name}.`)]);
}

/** @returns whether there is a field that shows a fault */
function focusFault(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus();
  return field !== null;
}

/** What was refused of a form and no field shows, above its buttons. */
export function FormRefusal({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {message}
    </Text>
  );
}

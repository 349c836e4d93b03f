import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { type FieldPlaces, placeErrors } from "./place-errors.ts";

export interface Submission {
  submit: (event?: React.FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** What was refused and no field can show. */
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
  const send = async (values: Values, element: HTMLFormElement | undefined) => {
    if (isPending) return;
    setPending(true);
    setRefusal(undefined);
    try {
      await onSubmit(values);
      onDone?.(values);
    } catch (error) {
      const { fields, rest } = placeErrors(error, fieldNames(values), places);
      form.setErrors(fields);
      setRefusal(rest);
      if (Object.keys(fields).length > 0) focusFirstFault(element);
    } finally {
      setPending(false);
    }
  };
  const submit = (event?: React.FormEvent<HTMLFormElement>) => {
    const element = event?.currentTarget;
    form.onSubmit(
      (values) => void send(values, element),
      () => focusFirstFault(element),
    )(event);
  };
  return { submit, isPending, refusal };
}

/** `a`, and `a.b` of what is inside. */
function fieldNames(values: unknown, prefix = ""): string[] {
  if (typeof values !== "object" || values === null || values instanceof Set) return [];
  return Object.entries(values).flatMap(([name, value]) => [prefix + name, ...fieldNames(value, `${prefix}${name}.`)]);
}

/** Once the faults are drawn. */
function focusFirstFault(form: HTMLFormElement | undefined): void {
  setTimeout(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

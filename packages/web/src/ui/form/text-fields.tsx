import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

interface TypedInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  /** Called after a pause in typing, and at once on Enter. */
  onSettle: (value: string) => void;
}

/** A text that filters a list: the search runs after a pause in typing, not at each letter. */
export function TypedInput({ value, onSettle, ...rest }: TypedInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const settle = useDebouncedCallback(onSettle, 400);
  return (
    <TextInput
      {...rest}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
      onKeyDown={(event) => event.key === "Enter" && onSettle(typed.trim())}
    />
  );
}

/**
 * A field for a secret. Mantine's own shows an error visually, but sets no `aria-invalid` for screen readers and for code that looks for
 * the first error.
 */
export function SecretField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={Boolean(props.error) || undefined} {...props} />;
}

import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

interface TypedInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  /** When nothing was typed for a moment, and at once on Enter. */
  onSettle: (value: string) => void;
}

/** A text that narrows a list: what is typed is looked for when one pauses, not at each letter. */
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

/** A field for a secret. Mantine's own looks wrong when it is, but does not tell those who can't see it, nor who looks for the first fault. */
export function SecretField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={Boolean(props.error) || undefined} {...props} />;
}

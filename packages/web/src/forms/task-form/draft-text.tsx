import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

interface DraftTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  description?: string;
  placeholder?: string;
  error?: string | undefined;
  isReadOnly?: boolean;
  isLong?: boolean;
  isRequired?: boolean;
  isHiddenLabel?: boolean;
}

/** A text of the document. A trailing space is held back until more is typed, so that the text isn't put in quotes meanwhile. */
export function DraftText({
  label,
  value,
  onChange,
  isReadOnly = false,
  isLong = false,
  isRequired = false,
  isHiddenLabel = false,
  ...rest
}: DraftTextProps) {
  const [typed, setTyped] = useState(value);
  const shown = typed.trimEnd() === value.trimEnd() ? typed : value;
  const change = (next: string) => {
    setTyped(next);
    onChange(next.trimEnd());
  };
  const shared = {
    ...rest,
    ...(isHiddenLabel ? { "aria-label": label } : { label }),
    value: shown,
    readOnly: isReadOnly,
    size: "sm" as const,
    required: isRequired,
  };
  if (isLong) return <Textarea {...shared} autosize minRows={2} maxRows={8} onChange={(event) => change(event.currentTarget.value)} />;
  return <TextInput {...shared} autoComplete="off" onChange={(event) => change(event.currentTarget.value)} />;
}

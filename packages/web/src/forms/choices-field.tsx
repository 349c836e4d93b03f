import { Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../texts/forms.ts";
import { optionsOf, optionsText } from "./list-edits.ts";
import type { Param } from "./parameter-values.ts";

interface ChoicesFieldProps {
  options: Param["options"];
  onChange: (options: { key: string; value: string }[]) => void;
}

/** The choices that a parameter offers, one per line. Incomplete text is kept while the user types. */
export function ChoicesField({ options, onChange }: ChoicesFieldProps) {
  const [text, setText] = useState(optionsText(options));
  return (
    <Textarea
      label={t("choicesField.choices")}
      description={t("choicesField.help")}
      autosize
      minRows={3}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(optionsOf(event.currentTarget.value));
      }}
    />
  );
}

import { Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task-form.ts";
import { optionsOf, textOfOptions } from "./option-lines.ts";
import type { ParamFieldsProps } from "./param-fields-props.ts";

/** The choices of a parameter as lines of text. */
export function ParamOptions({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const [typed, setTyped] = useState(() => textOfOptions(param.options ?? []));
  const change = (text: string) => {
    setTyped(text);
    const options = optionsOf(text);
    onChange("options", options.length > 0 ? options : undefined);
  };
  return (
    <Textarea
      label={t("paramOptions.choicesPerLine")}
      description={t("paramOptions.choicesPerLineHelp")}
      size="sm"
      autosize
      minRows={2}
      maxRows={8}
      value={typed}
      readOnly={isReadOnly}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

import { ActionIcon, Button, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../texts/designer-form.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { textOfValue } from "./node-params.ts";
import { ReferenceField } from "./reference-field.tsx";
import classes from "./side-panel.module.css";

interface FurtherParametersProps {
  task: DraftTask;
  declared: readonly string[];
  available: readonly string[];
}

/** Values that the definition does not ask for: they are passed on, such as to the workflow that is run. */
export function FurtherParameters({ task, declared, available }: FurtherParametersProps) {
  const { change } = useDraft();
  const [name, setName] = useState("");
  const further = (task.params ?? []).filter((param) => !declared.includes(param.name));
  const edit = (edit: (task: DraftTask) => DraftTask, key?: string) => change((draft) => changeTask(draft, task.name, edit), key);
  const add = () => {
    const wanted = name.trim();
    if (wanted === "" || (task.params ?? []).some((param) => param.name === wanted)) return;
    edit((each) => ({ ...each, params: [...(each.params ?? []), { name: wanted, value: "" }] }));
    setName("");
  };
  return (
    <>
      {further.length > 0 && (
        <Text size="sm" fw={500}>
          {t("furtherParameters.furtherParameters")}
        </Text>
      )}
      {further.map((param) => (
        <div key={param.name} className={classes.row}>
          <ReferenceField
            label={param.name}
            value={textOfValue(param.value)}
            available={available}
            onChange={(value) =>
              edit(
                (each) => ({ ...each, params: (each.params ?? []).map((old) => (old.name === param.name ? { ...old, value } : old)) }),
                `param ${task.name} ${param.name}`,
              )
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("furtherParameters.remove", { name: param.name })}
            onClick={() => edit((each) => ({ ...each, params: (each.params ?? []).filter((old) => old.name !== param.name) }))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.row}>
        <TextInput
          size="xs"
          label={t("furtherParameters.addParameter")}
          placeholder={t("furtherParameters.addParameterPlaceholder")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t("furtherParameters.addParameter")}
        </Button>
      </div>
    </>
  );
}

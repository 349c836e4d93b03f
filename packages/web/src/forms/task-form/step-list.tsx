import { Button, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { t } from "../../texts/task-form.ts";
import { ListItem } from "./list-item.tsx";
import { StepFields } from "./step-fields.tsx";
import type { TaskPartProps } from "./task-part-props.ts";
import { addItem, moveItem, removeItem } from "./yaml-edit.ts";

const list = ["spec", "steps"];

/** The programs of the task, one after the other. */
export function StepList({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  const { steps } = draft;
  return (
    <Stack gap="sm">
      {steps.length === 0 && <Text className="quiet">{t("stepList.taskTypeNeedsLeast")}</Text>}
      {steps.map((step, index) => (
        <ListItem
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has nothing else that stays while its name is typed
          key={index}
          title={t("stepList.step", { index: String(index + 1), name: step.name ? "yes" : "no", name2: step.name })}
          index={index}
          count={steps.length}
          isReadOnly={isReadOnly}
          onMove={(to) => edit((text) => moveItem(text, list, index, to))}
          onRemove={() => edit((text) => removeItem(text, list, index))}
        >
          <StepFields step={step} index={index} edit={edit} faults={faults} isReadOnly={isReadOnly} />
        </ListItem>
      ))}
      {!isReadOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => edit((text) => addItem(text, list, { name: `step-${steps.length + 1}`, script: "#!/bin/sh\nset -eu\n" }))}
        >
          {t("stepList.addStep")}
        </Button>
      )}
    </Stack>
  );
}

import { Group, Select, SimpleGrid, Stack } from "@mantine/core";
import { t } from "../../texts/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import { faultAt } from "./faults.ts";
import { annotationOf } from "./set-annotation.ts";
import type { TaskPartProps } from "./task-part-props.ts";
import { taskTypeChoices } from "./task-type-words.ts";
import { setYaml } from "./yaml-edit.ts";

/** How the task is called, and where people find it. */
export function GeneralFields({ draft, edit, faults, isReadOnly, isNew }: TaskPartProps & { isNew: boolean }) {
  const annotation = (name: string) => (value: string) => edit((text) => annotationOf(text, name, value));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DraftText
          label={t("generalFields.name")}
          value={draft.name}
          isRequired
          isReadOnly={isReadOnly || !isNew}
          description={isNew ? t("generalFields.nameHelp") : t("generalFields.nameHelpCantChangedLater")}
          error={faultAt(faults, "metadata", "name")}
          onChange={(name) => edit((text) => setYaml(text, ["metadata", "name"], name))}
        />
        <DraftText
          label={t("generalFields.displayName")}
          value={draft.displayName}
          isReadOnly={isReadOnly}
          description={t("generalFields.displayNameHelp")}
          onChange={annotation("displayName")}
        />
      </SimpleGrid>
      <DraftText
        label={t("generalFields.description")}
        value={draft.description}
        isLong
        isReadOnly={isReadOnly}
        error={faultAt(faults, "spec", "description")}
        onChange={(value) => edit((text) => setYaml(text, ["spec", "description"], value))}
      />
      <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
        <DraftText label={t("generalFields.category")} value={draft.category} isReadOnly={isReadOnly} onChange={annotation("category")} />
        <DraftText label={t("generalFields.icon")} value={draft.icon} isReadOnly={isReadOnly} onChange={annotation("icon")} />
      </Group>
      <Select
        label={t("generalFields.type")}
        size="sm"
        data={taskTypeChoices(draft.type)}
        value={draft.type}
        readOnly={isReadOnly || !isNew}
        allowDeselect={false}
        description={isNew ? t("generalFields.typeHelp") : t("generalFields.nameHelpCantChangedLater")}
        onChange={(type) => type !== null && annotation("type")(type)}
      />
    </Stack>
  );
}

import { Group, Select, SimpleGrid, Stack } from "@mantine/core";
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
          label="Name"
          value={draft.name}
          isRequired
          isReadOnly={isReadOnly || !isNew}
          description={isNew ? "Letters, digits and hyphens. Can't be changed later" : "Can't be changed later"}
          error={faultAt(faults, "metadata", "name")}
          onChange={(name) => edit((text) => setYaml(text, ["metadata", "name"], name))}
        />
        <DraftText
          label="Display name"
          value={draft.displayName}
          isReadOnly={isReadOnly}
          description="Shown instead of the name"
          onChange={annotation("displayName")}
        />
      </SimpleGrid>
      <DraftText
        label="Description"
        value={draft.description}
        isLong
        isReadOnly={isReadOnly}
        error={faultAt(faults, "spec", "description")}
        onChange={(value) => edit((text) => setYaml(text, ["spec", "description"], value))}
      />
      <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
        <DraftText label="Category" value={draft.category} isReadOnly={isReadOnly} onChange={annotation("category")} />
        <DraftText label="Icon" value={draft.icon} isReadOnly={isReadOnly} onChange={annotation("icon")} />
      </Group>
      <Select
        label="Type"
        size="sm"
        data={taskTypeChoices(draft.type)}
        value={draft.type}
        readOnly={isReadOnly || !isNew}
        allowDeselect={false}
        description={isNew ? "What does the work. Can't be changed later" : "Can't be changed later"}
        onChange={(type) => type !== null && annotation("type")(type)}
      />
    </Stack>
  );
}

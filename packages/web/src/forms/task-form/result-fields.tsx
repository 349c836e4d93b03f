import { Stack, Text } from "@mantine/core";
import { t } from "../../texts/task-form.ts";
import { faultAt } from "./faults.ts";
import { PairRows } from "./pair-rows.tsx";
import type { TaskPartProps } from "./task-part-props.ts";

/** What the task leaves for the tasks after it. */
export function ResultFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  return (
    <Stack gap="xs">
      <Text className="quiet">
        {t.rich("resultFields.stepWritesEachFile", {
          code: () => <code>{'printf ok > "$(results.NAME.path)"'}</code>,
          code2: () => <code>$(tasks.TASK.results.NAME)</code>,
        })}
      </Text>
      <PairRows
        label={t("resultFields.results")}
        noun={t("resultFields.result")}
        members={["name", "description"]}
        pairs={draft.results.map(({ name, description }) => [name, description])}
        path={["spec", "results"]}
        edit={edit}
        error={faultAt(faults, "spec", "results")}
        isReadOnly={isReadOnly}
      />
    </Stack>
  );
}

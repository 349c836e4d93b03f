import { Stack, Text } from "@mantine/core";
import { faultAt } from "./faults.ts";
import { PairRows } from "./pair-rows.tsx";
import type { TaskPartProps } from "./task-part-props.ts";

/** What the task leaves for the tasks after it. */
export function ResultFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  return (
    <Stack gap="xs">
      <Text className="quiet">
        A step writes each to a file: <code>{'printf ok > "$(results.NAME.path)"'}</code>. Tasks after it read{" "}
        <code>$(tasks.TASK.results.NAME)</code>.
      </Text>
      <PairRows
        label="Results"
        noun="result"
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

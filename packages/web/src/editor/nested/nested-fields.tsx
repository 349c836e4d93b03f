import { Button, Stack, TagsInput, Text } from "@mantine/core";
import { IconBinaryTree } from "@tabler/icons-react";
import { t } from "../../texts/workflow/designer.ts";
import type { Draft, DraftTask } from "../draft/draft.ts";
import { isMarker } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { nestedIn } from "./nested-draft.ts";
import { useNestedOpener } from "./nested-opener.ts";

/** The workflow nested in a task: its tasks, its parameters, and a link to its graph. */
export function NestedFields({ task }: { task: DraftTask }) {
  const { change } = useDraft();
  const open = useNestedOpener();
  const nested = nestedIn(task);
  if (nested === undefined) return null;
  const inner = nested.tasks.filter((each) => !isMarker(each));
  const setParams = (names: readonly string[]) =>
    change((draft) => changeTask(draft, task.name, (each) => ({ ...each, workflow: { ...nested, params: paramsOf(nested, names) } })));
  return (
    <Stack gap="xs" mb="sm">
      <Text size="sm" fw={500}>
        {t("nested.tasks", { count: inner.length })}
      </Text>
      {inner.length > 0 && (
        <Text size="sm" className="quiet">
          {inner.map(({ name }) => name).join(", ")}
        </Text>
      )}
      <Button size="xs" variant="default" leftSection={<IconBinaryTree size={14} aria-hidden />} onClick={() => open?.(task.name)}>
        {t("nested.open")}
      </Button>
      <TagsInput
        label={t("nested.params")}
        description={t("nested.paramsHelp")}
        value={nested.params.map(({ name }) => name)}
        onChange={setParams}
      />
    </Stack>
  );
}

/** Remaining parameters keep their declarations. */
function paramsOf({ params }: Pick<Draft, "params">, names: readonly string[]): Draft["params"] {
  const known = new Map(params.map((param) => [param.name, param]));
  return names.map((name) => known.get(name) ?? { name, type: "text" });
}

import { Button, Text } from "@mantine/core";
import { IconArrowUpCircle } from "@tabler/icons-react";
import { t } from "../../texts/designer-form.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { useNodeDefinition } from "./use-node-definition.ts";

/** Which version of its task it uses, and the way to a newer one. */
export function NodeVersion({ task }: { task: DraftTask }) {
  const { change, catalog } = useDraft();
  const { latest } = useNodeDefinition(task);
  const newest = latest?.version ?? 0;
  if (catalog === undefined) return null;
  if (latest === undefined)
    return (
      <Text size="sm">{task.taskRef == null ? t("nodeVersion.noTaskSelected") : t("nodeVersion.unknownTask", { name: task.taskRef })}</Text>
    );
  const isOutdated = task.taskVersion != null && newest > task.taskVersion;
  return (
    <div>
      <Text size="sm" className="quiet" component="div">
        {latest.description}
      </Text>
      <Text size="sm" component="div" mt={4}>
        {t.rich(isOutdated ? "nodeVersion.outdated" : "nodeVersion.latest", {
          code: () => <code>{task.taskRef}</code>,
          version: String(task.taskVersion ?? newest),
        })}
      </Text>
      {isOutdated && (
        <Button
          mt={4}
          size="compact-sm"
          variant="light"
          leftSection={<IconArrowUpCircle size={16} aria-hidden />}
          onClick={() => change((draft) => changeTask(draft, task.name, (each) => ({ ...each, taskVersion: newest })))}
        >
          {t("nodeVersion.useVersion", { newest })}
        </Button>
      )}
    </div>
  );
}

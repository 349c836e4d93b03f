import { Button, Text } from "@mantine/core";
import { IconArrowUpCircle } from "@tabler/icons-react";
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
  if (latest === undefined) return <Text size="sm">There is no task {task.taskRef ?? "chosen"}.</Text>;
  const isOutdated = task.taskVersion != null && newest > task.taskVersion;
  return (
    <div>
      <Text size="sm" className="quiet" component="div">
        {latest.description}
      </Text>
      <Text size="sm" component="div" mt={4}>
        Task <code>{task.taskRef}</code>, version {task.taskVersion ?? newest}
        {!isOutdated && " (the latest)"}
      </Text>
      {isOutdated && (
        <Button
          mt={4}
          size="compact-sm"
          variant="light"
          leftSection={<IconArrowUpCircle size={16} aria-hidden />}
          onClick={() => change((draft) => changeTask(draft, task.name, (each) => ({ ...each, taskVersion: newest })))}
        >
          Use version {newest}
        </Button>
      )}
    </div>
  );
}

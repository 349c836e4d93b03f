import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { TaskRun } from "../../api/queries/task-catalog.ts";
import { parentOf } from "../../components/run-graph/run-graph-model.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import { useRunView } from "./run-context.tsx";

/** To the task in the designer, where it is mended: as it is now, in the latest version. */
export function EditLink({ task: { name, type } }: { task: Pick<TaskRun, "name" | "type"> }) {
  const { team, run } = useRunView();
  if (type === "start" || type === "end" || run.workflowName === undefined) return null;
  return (
    <Tooltip label={t("taskPanel.editTask")}>
      <ActionIcon
        component={PlaceLink}
        to={paths.workflow(team, run.workflowName, "design")}
        search={{ node: parentOf(name) }}
        variant="subtle"
        color="gray"
        aria-label={t("taskPanel.editTask")}
      >
        <IconPencil size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
